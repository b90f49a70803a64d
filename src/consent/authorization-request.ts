import { DEFAULT_SCOPES } from '../api/access/access';
import { type ApiError } from '../api/errors/error-codes';
import { type Client, type ClientsRepository } from '../oauth/clients.repository';
import { areScopes, required, splitScopes, type Parameters } from '../oauth/parameters';
import { blockedClient, refusal } from '../oauth/refusal';

/** A valid authorization request (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest {
  readonly client: Client;
  /** Target of the redirect with the response. */
  readonly redirectUri: string;
  /** `redirect_uri` of the request; undefined when it was omitted. */
  readonly requestedRedirectUri: string | undefined;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
}

/**
 * Hidden fields of the consent form: the scopes and the redirect URI that the page shows. The
 * authorization request may omit both. An administrator or the developer can then change them while
 * the page is open.
 */
export const shownFields = ({
  scopes,
  redirectUri,
}: AuthorizationRequest): Readonly<Record<string, string>> => ({
  shown_scope: scopes.join(' '),
  shown_redirect_uri: redirectUri,
});

/** Whether the page of a form showed the current scopes and redirect URI of the request. */
export const isAsShown = (request: AuthorizationRequest, form: Parameters): boolean =>
  Object.entries(shownFields(request)).every(([name, value]) => form[name] === value);

/** An invalid request with a valid redirect URI, which may receive the error. */
export class InvalidAuthorizationRequest extends Error {
  constructor(
    readonly error: ApiError,
    readonly redirectUri: string,
    readonly state: string | undefined,
  ) {
    super(error.message, { cause: error });
  }
}

/** The error of a request with an unknown `client_id`. */
export const clientNotFound = (): ApiError =>
  refusal('clientSecretMismatch', 'invalid_client', 'client not found', { status: 400 });

const STATE = /^[\x20-\x7e]{1,2000}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** @throws ApiError, after which the server must not redirect (RFC 9700, section 4.11) */
async function readClient(
  clients: ClientsRepository,
  parameters: Parameters,
): Promise<{ client: Client; redirectUri: string }> {
  const client = await clients.client(required(parameters, 'client_id'));
  if (!client) throw clientNotFound();
  if (client.blocked) {
    throw blockedClient(client);
  }
  const { redirect_uri: requestedUri } = parameters;
  const [only] = client.redirectUris;
  if (requestedUri === undefined) {
    if (only !== undefined && client.redirectUris.length === 1)
      return { client, redirectUri: only };
    const why = 'redirect_uri is missing';
    throw refusal('requiredParameterMissing', 'invalid_request', why);
  }
  // Exact string comparison, because pattern matching can be bypassed (RFC 9700, section 2.1).
  if (!client.redirectUris.includes(requestedUri)) {
    const why = 'redirect_uri is not registered for this application';
    throw refusal('redirectUriMismatch', 'invalid_request', why);
  }
  return { client, redirectUri: requestedUri };
}

function readChallenge(client: Client, parameters: Parameters): string | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = parameters;
  if (challenge === undefined) {
    if (!client.isPublic && method === undefined) return undefined;
    throw refusal(
      'requiredParameterMissing',
      'invalid_request',
      'code_challenge is missing (PKCE)',
    );
  }
  if (method !== 'S256') {
    const why = 'code_challenge_method must be S256';
    throw refusal('requiredParameterMissing', 'invalid_request', why);
  }
  if (!CHALLENGE.test(challenge)) {
    const why = 'code_challenge must be a SHA-256 in base64url';
    throw refusal('requiredParameterMissing', 'invalid_request', why);
  }
  return challenge;
}

function readScopes(client: Client, parameters: Parameters): readonly string[] {
  const requestedScopes = splitScopes(parameters.scope);
  if (!areScopes(requestedScopes)) {
    throw refusal('invalidRequestScope', 'invalid_scope', 'unknown scope');
  }
  const scopes =
    requestedScopes.length > 0
      ? requestedScopes
      : DEFAULT_SCOPES.filter((scope) => client.scopes.has(scope));
  const refused = scopes.filter((scope) => !client.scopes.has(scope));
  if (refused.length > 0 || scopes.length === 0) {
    const why = `the application is not approved for ${refused.join(' ') || 'any scope'}`;
    throw refusal('invalidRequestScope', 'invalid_scope', why);
  }
  return scopes;
}

/**
 * Reads an authorization request (D18: only codes with PKCE).
 *
 * @throws ApiError 113, 116, 117, 105 without a valid redirect URI; InvalidAuthorizationRequest
 * (113, 115, 125) with a valid one
 */
export async function readAuthorizationRequest(
  clients: ClientsRepository,
  parameters: Parameters,
): Promise<AuthorizationRequest> {
  const { client, redirectUri } = await readClient(clients, parameters);
  const { state } = parameters;
  const validState = state !== undefined && STATE.test(state) ? state : undefined;
  try {
    if (state !== validState) {
      const why = 'state must be at most 2000 printable ASCII characters';
      throw refusal('requiredParameterMissing', 'invalid_request', why);
    }
    if (required(parameters, 'response_type') !== 'code') {
      const why = 'response_type must be code';
      throw refusal('unsupportedResponseType', 'unsupported_response_type', why);
    }
    const { response_mode: mode = 'query' } = parameters;
    if (mode !== 'query') {
      throw refusal('requiredParameterMissing', 'invalid_request', 'response_mode must be query');
    }
    const codeChallenge = readChallenge(client, parameters);
    const scopes = readScopes(client, parameters);
    const { redirect_uri: requestedRedirectUri } = parameters;
    return { client, redirectUri, requestedRedirectUri, scopes, state, codeChallenge };
  } catch (error) {
    throw new InvalidAuthorizationRequest(error as ApiError, redirectUri, validState);
  }
}

/** Adds a response to the query of a redirect URI (RFC 6749, section 4.1.2). */
export function authorizationResponseUrl(
  redirectUri: string,
  response: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(response)) {
    if (value !== undefined) query.append(name, value);
  }
  // Concatenated, because a URL parser would normalize parts of the registered address.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`;
}
