import { SignInError } from './errors';
import { base64url, sha256Base64url } from './sha256';

/** What a browser keeps between the authorization request and its response. */
export interface PendingSignIn {
  /** Address to which the application sends the user. */
  readonly url: string;
  /** PKCE code verifier (RFC 7636): 43 characters. */
  readonly verifier: string;
  /** Random value that the response repeats. */
  readonly state: string;
  readonly redirectUri: string;
}

export interface SignInRequest {
  /** Address of the service. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** A registered redirect URI, character by character. */
  readonly redirectUri: string;
  /** All approved scopes when absent. */
  readonly scopes?: readonly string[];
}

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The code challenge of a verifier, method S256 (RFC 7636, section 4.2). */
export const challengeOf = (verifier: string): Promise<string> => sha256Base64url(verifier);

/** Prepares an authorization request with PKCE. Store the result, then send the user to `url`. */
export async function prepareSignIn(request: SignInRequest): Promise<PendingSignIn> {
  const { baseUrl, clientId, redirectUri, scopes } = request;
  const [verifier, state] = [random(), random()];
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...(scopes && { scope: scopes.join(' ') }),
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  return { url: `${baseUrl}/service/auth2/auth?${query.toString()}`, verifier, state, redirectUri };
}

/**
 * Parameters of the token request for the address that the service redirected to.
 *
 * @throws SignInError if the user denied access, or the response belongs to another request
 */
export function tokenRequestOf(address: string, pending: PendingSignIn): Record<string, string> {
  const query = new URL(address).searchParams;
  if (query.get('state') !== pending.state) {
    throw new SignInError('the response belongs to another authorization request');
  }
  const code = query.get('code');
  if (!code) {
    throw new SignInError(query.get('error_description') ?? query.get('error') ?? 'no code');
  }
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: pending.redirectUri,
    code_verifier: pending.verifier,
  };
}
