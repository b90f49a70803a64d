import { type Contract } from './route-table';

const CONTRACT = 'commonplace:contract';

/** The declarations of a handler so far; created on first use. */
export function contractOf(handler: object): Contract {
  const existing = Reflect.getOwnMetadata(CONTRACT, handler) as Contract | undefined;
  if (existing) return existing;
  const fresh: Contract = { parameters: [] };
  Reflect.defineMetadata(CONTRACT, fresh, handler);
  return fresh;
}

/** A decorator that changes the declarations of its handler. */
export const declare =
  (change: (contract: Contract) => void): MethodDecorator =>
  (_target, _name, descriptor) => {
    change(contractOf(descriptor.value as object));
  };
