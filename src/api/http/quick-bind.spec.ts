import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { bindQuickly } from './quick-bind';

it('binds a function to where it was bound, as Node does', () => {
  bindQuickly();
  const storage = new AsyncLocalStorage<string>();
  const seen = (...more: unknown[]): unknown[] => [storage.getStore(), ...more];
  const bound = storage.run('inside', () => AsyncResource.bind(seen));
  expect(storage.run('elsewhere', () => bound(1, 2))).toEqual(['inside', 1, 2]);
  const self = {};
  const itself = AsyncResource.bind(function (this: unknown) {
    return this;
  });
  expect(itself.call(self)).toBe(self);
  expect('asyncResource' in bound).toBe(false);
});
