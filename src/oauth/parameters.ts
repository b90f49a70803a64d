import { ALL_SCOPES } from '../api/access/access';
import { type ApiRequest } from '../api/http/request-context';
import { refusal } from './refusal';

/** Parameters of an authorization or token request, without duplicates (RFC 6749, section 3.2). */
export type Parameters = Readonly<Record<string, string>>;

/**
 * Reads text parameters of a body or query. Empty ones count as absent (RFC 6749, section 3.1).
 *
 * @throws ApiError 113 (invalid_request) for a parameter that is repeated or not text
 */
export function readParameters(input: unknown): Parameters {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') {
      const what = Array.isArray(value) ? 'must occur only once' : 'must be text';
      const shownName = /^\w{1,40}$/.test(name) ? name : 'a parameter';
      throw refusal('requiredParameterMissing', 'invalid_request', `${shownName} ${what}`);
    }
    parameters[name] = value;
  }
  return parameters;
}

/** Parameters of a request's body. @throws ApiError 113 (invalid_request) */
export const bodyParameters = (request: ApiRequest): Parameters => readParameters(request.body);

/** @throws ApiError 113 (invalid_request) when the parameter is absent */
export function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined) {
    throw refusal('requiredParameterMissing', 'invalid_request', `${name} is missing`);
  }
  return value;
}

/** Splits a list of scopes at commas and spaces (D18), without duplicates. */
export const splitScopes = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(/[\s,]+/).filter((scope) => scope !== '')),
];

/** Whether all scopes exist. */
export const areScopes = (scopes: readonly string[]): boolean =>
  scopes.every((scope) => (ALL_SCOPES as readonly string[]).includes(scope));
