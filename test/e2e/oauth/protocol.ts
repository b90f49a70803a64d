import { createHash } from 'node:crypto';
import { type TestResponse, type Call } from '../../http';
import { type Browser, formBody, type Fields } from './browser';

export const AUTH = '/service/auth2/auth';
export const TOKEN = '/service/auth2/token';
export const REDIRECT = 'https://client.example/callback';

/** A verifier and its challenge: the example of RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** A server that can be called. */
export interface Callable {
  readonly call: Call;
}

/** An application, as its developer knows it. */
export interface TestClient {
  readonly clientId: string;
  /** Absent for a public one. */
  readonly secret?: string;
}

/** The query of an authorization request with PKCE; members that are undefined are left out. */
export function authorizationOf(
  client: TestClient,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  };
  const present = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${AUTH}?${new URLSearchParams(present).toString()}`;
}

/** Where the browser is led after its user allowed (or not) what an application asks for. */
export async function consent(
  browser: Browser,
  request: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const { status, headers, text } = await browser.fill(request, AUTH, { decision });
  const to = headers.get('location');
  if (to === null) throw new Error(`the browser was not led on: ${status} ${text}`);
  return new URL(to);
}

/** A code that a browser's user gave an application. */
export async function codeFor(
  browser: Browser,
  client: TestClient,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const response = await consent(browser, authorizationOf(client, more));
  const code = response.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${response.href}`);
  return code;
}

/** Calls one of the endpoints for applications, with the client's credentials in the body. */
export function callAs(
  harness: Callable,
  client: TestClient,
  path: string,
  fields: Fields,
): Promise<TestResponse> {
  const { clientId: client_id, secret } = client;
  const own: Fields = secret === undefined ? { client_id } : { client_id, client_secret: secret };
  return harness.call(path, { method: 'POST', body: formBody({ ...own, ...fields }) });
}

/** Fetches tokens with a code. */
export const exchange = (
  harness: Callable,
  client: TestClient,
  code: string,
  more: Fields = {},
): Promise<TestResponse> =>
  callAs(harness, client, TOKEN, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...more,
  });

/** Fetches tokens with a refresh token. */
export const refresh = (
  harness: Callable,
  client: TestClient,
  token: string,
  more: Fields = {},
): Promise<TestResponse> =>
  callAs(harness, client, TOKEN, { grant_type: 'refresh_token', refresh_token: token, ...more });

/** A response of the token endpoint with all members. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly user_id: string;
}

/** The whole way: consent, code, tokens. */
export async function tokensFor(
  harness: Callable,
  browser: Browser,
  client: TestClient,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<Tokens> {
  const { status, body } = await exchange(harness, client, await codeFor(browser, client, more));
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`);
  return body as Tokens;
}

/** Status and code of a call that needs a user who may read books: 200, or why the token is dead. */
export async function standingOf(
  harness: Callable,
  token: string,
): Promise<number | [number, number]> {
  const { status, body } = await harness.call('/v2/book/0/collection', { token });
  // There is no such book; a caller who gets this response has access.
  return body.code === 6000 ? 200 : [status, body.code as number];
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An error in both forms, at the token endpoint unless said otherwise. */
export const refused = (
  error: string,
  code: number,
  msg: string,
  request = `POST ${TOKEN}`,
): Record<string, unknown> => ({
  error,
  error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
  code,
  msg,
  request,
});
