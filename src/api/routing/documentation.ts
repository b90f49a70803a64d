import { type ErrorName } from '../errors/error-codes';
import { declare } from './contract';
import { type DeclaredError, type Parameter } from './route-table';

/** Members of a body that the handler reads without an input class, for the OpenAPI document. */
export const DocumentedBody = (
  members: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>>,
): MethodDecorator =>
  declare((contract) => {
    for (const [name, member] of Object.entries(members)) {
      contract.parameters.push({ name, in: 'body', ...member });
    }
  });

/** Summary of the route for the OpenAPI document. */
export const Summary = (summary: string): MethodDecorator =>
  declare((contract) => {
    contract.summary = summary;
  });

/** Marks a route that the specification does not have (D51). */
export const Extension = (): MethodDecorator =>
  declare((contract) => {
    contract.extension = true;
  });

/**
 * Id of the operation in the OpenAPI document: a verb and a noun, such as `getBook`. Generators of
 * clients make it the name of a method, so that a change breaks their users.
 */
export const OperationId = (id: string): MethodDecorator =>
  declare((contract) => {
    contract.operationId = id;
  });

/**
 * Declares the errors of a route (`@Errors('bookNotFound')`) that do not follow from its other
 * declarations: access, parameters, uploads and method. The OpenAPI document lists both kinds. Tests
 * compare them with the errors they see.
 */
export const Errors = (...errors: readonly (ErrorName | DeclaredError)[]): MethodDecorator =>
  declare((contract) => {
    contract.errors = errors.map((each) => (typeof each === 'string' ? { error: each } : each));
  });
