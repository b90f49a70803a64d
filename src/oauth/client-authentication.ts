import { timingSafeEqual } from 'node:crypto';
import { type ApiRequest } from '../api/http/request-context';
import { type Client } from './clients.repository';
import { required, type Parameters } from './parameters';
import { refusal } from './refusal';
import { hashSecret } from './tokens';

/** Credentials of a client (RFC 6749, section 2.3.1). */
export interface Credentials {
  readonly clientId: string;
  readonly secret: string | undefined;
  /** Whether they are from the `Authorization` header. */
  readonly basic: boolean;
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return undefined;
  }
}

function readBasic(authorization: string): Credentials {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  // Both halves are form-encoded before they are joined.
  const clientId = formDecoded(text.slice(0, Math.max(colon, 0)));
  const secret = formDecoded(text.slice(colon + 1));
  if (colon < 1 || !clientId || secret === undefined) {
    throw notAuthenticated(true, 'the Authorization header must be Basic, with id and secret');
  }
  return { clientId, secret: secret === '' ? undefined : secret, basic: true };
}

/** @throws ApiError 116 (invalid_client), or 113 for missing or ambiguous credentials */
export function readCredentials(request: ApiRequest, parameters: Parameters): Credentials {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization.trim() === '') {
    const clientId = required(parameters, 'client_id');
    return { clientId, secret: parameters.client_secret, basic: false };
  }
  const credentials = readBasic(authorization);
  const { client_id: named = credentials.clientId, client_secret: second } = parameters;
  if (second !== undefined || named !== credentials.clientId) {
    const why = 'the request must use only one method of client authentication';
    throw refusal('requiredParameterMissing', 'invalid_request', why);
  }
  return credentials;
}

/**
 * Rejects a request without client credentials, on endpoints that require them (RFC 7662, section
 * 2.3).
 *
 * @throws ApiError 116 (invalid_client)
 */
export function requireCredentials(request: ApiRequest, parameters: Parameters): void {
  const { authorization = '' } = request.headers;
  if (authorization.trim() !== '' || parameters.client_id !== undefined) return;
  throw notAuthenticated(true, 'client authentication is missing');
}

/** The error for missing or wrong client credentials. */
export function notAuthenticated(basic: boolean, why: string): Error {
  return refusal('clientSecretMismatch', 'invalid_client', why, {
    headers: basic ? { 'WWW-Authenticate': 'Basic realm="commonplace", charset="UTF-8"' } : {},
  });
}

/** Whether a secret is one of the client's, in constant time (D18). */
export function isSecretOf(client: Client, secret: string): boolean {
  const hash = hashSecret(secret);
  let found = false;
  // Compares all of them: the time must not disclose which one matched.
  for (const secret of client.secrets) if (timingSafeEqual(secret, hash)) found = true;
  return found;
}
