import createFetchClient from 'openapi-fetch';
import { errorOf, InvalidResponseError } from './errors';
import type {
  Element,
  Files,
  Init,
  InitArguments,
  ListPath,
  Method,
  PathOf,
  RequestOptions,
  Result,
} from './operations';
import type { paths } from './schema';
import { prepareSignIn, tokenRequestOf, type PendingSignIn } from './sign-in';
import { TokenSession, type TokenOptions, type Tokens } from './tokens';
import {
  createTransport,
  parseJson,
  readText,
  setIdempotencyKey,
  untilAborted,
  type Fetch,
  type TransportOptions,
} from './transport';

export interface CommonplaceOptions extends TokenOptions, TransportOptions {
  /** Sent with requests without a token, for higher limits. */
  readonly apikey?: string;
}

/** The parts of an initializer that the runtime reads. */
type AnyInit = RequestOptions &
  Files & {
    readonly path?: Record<string, unknown>;
    readonly query?: Record<string, unknown>;
    readonly body?: Members;
  };

/** The request as openapi-fetch makes it; its own types are those of {@link Init}. */
type AnyRequest = (method: string, path: string, init: object) => Promise<{ response: Response }>;

const MAX_COUNT = 100;

type Members = Record<string, string | number | boolean | undefined>;

/** Members of a body and pictures as a multipart form. */
function formOf(body: Members, files: Required<Files>['files']): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, String(value));
  }
  for (const [name, file] of Object.entries(files)) form.append(name, file, `${name}.jpg`);
  return form;
}

/** A client of one service, for one user, for one application, or without authorization. */
export class Commonplace {
  private readonly baseUrl: string;
  private readonly tokens: TokenSession;
  private readonly request: AnyRequest;

  constructor(private readonly options: CommonplaceOptions) {
    const transport = createTransport(options);
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.tokens = new TokenSession({ ...options, baseUrl: this.baseUrl }, transport);
    const { request } = createFetchClient<paths>({
      baseUrl: this.baseUrl,
      fetch: (input) => this.send(input, transport),
    });
    this.request = request as unknown as AnyRequest;
  }

  /** @throws ApiError, InvalidResponseError, NetworkError, TimeoutError */
  get<P extends PathOf<'get'>, const I extends Init<P, 'get'>>(
    path: P,
    ...init: InitArguments<I & Init<P, 'get'>>
  ): Promise<Result<P, 'get', I>> {
    return this.call('get', path, init);
  }

  /** @throws ApiError, InvalidResponseError, NetworkError, TimeoutError */
  post<P extends PathOf<'post'>>(
    path: P,
    ...init: InitArguments<Init<P, 'post'>>
  ): Promise<Result<P, 'post'>> {
    return this.call('post', path, init);
  }

  /** @throws ApiError, InvalidResponseError, NetworkError, TimeoutError */
  put<P extends PathOf<'put'>>(
    path: P,
    ...init: InitArguments<Init<P, 'put'>>
  ): Promise<Result<P, 'put'>> {
    return this.call('put', path, init);
  }

  /** @throws ApiError, InvalidResponseError, NetworkError, TimeoutError */
  delete<P extends PathOf<'delete'>>(
    path: P,
    ...init: InitArguments<Init<P, 'delete'>>
  ): Promise<Result<P, 'delete'>> {
    return this.call('delete', path, init);
  }

  /**
   * The elements of a list, in pages of 100 or of `count`, starting at `start`.
   *
   * @throws ApiError, InvalidResponseError, NetworkError, TimeoutError
   */
  async *list<P extends ListPath, const I extends Init<P, 'get'>>(
    path: P,
    ...init: InitArguments<I & Init<P, 'get'>>
  ): AsyncGenerator<Element<P, I>, void, undefined> {
    const { query, ...rest } = (init[0] ?? {}) as AnyInit;
    let start = Number(query?.start ?? 0);
    for (;;) {
      const page = await this.call<Record<string, unknown> | null>('get', path, [
        { ...rest, query: { count: MAX_COUNT, ...query, start } },
      ]);
      if (typeof page !== 'object' || page === null)
        throw new InvalidResponseError('the response is not a list');
      const isList = ([name, value]: [string, unknown]): boolean =>
        name !== 'missing' && Array.isArray(value);
      const elements = (Object.entries(page).find(isList)?.[1] ?? []) as Element<P, I>[];
      yield* elements;
      start += elements.length;
      if (elements.length === 0 || start >= Number(page.total)) return;
    }
  }

  /** Prepares the sign-in of a user: store the result, then send the browser to its `url`. */
  prepareSignIn(redirectUri: string, scopes?: readonly string[]): Promise<PendingSignIn> {
    const { clientId = '' } = this.options;
    return prepareSignIn({ baseUrl: this.baseUrl, clientId, redirectUri, scopes });
  }

  /**
   * Finishes a sign-in and stores the tokens.
   *
   * @param address the address that the service redirected the browser to
   * @throws SignInError, ApiError
   */
  finishSignIn(address: string, pending: PendingSignIn): Promise<Tokens> {
    return this.tokens.signIn(tokenRequestOf(address, pending));
  }

  /** Requests tokens of the application itself, which requires `clientSecret`. @throws ApiError */
  authenticate(scopes?: readonly string[]): Promise<Tokens> {
    return this.tokens.signIn({
      grant_type: 'client_credentials',
      ...(scopes && { scope: scopes.join(' ') }),
    });
  }

  /** The valid tokens, refreshed if necessary; undefined if nobody is signed in. */
  async currentTokens(): Promise<Tokens | undefined> {
    // Another user may have signed in during the refresh of the first tokens.
    return (await this.tokens.valid()) ?? this.tokens.valid();
  }

  /**
   * Revokes and deletes the tokens.
   *
   * @throws ApiError, NetworkError; TimeoutError, after which the user may still be signed in
   */
  signOut(): Promise<void> {
    return this.tokens.signOut();
  }

  private async call<T>(method: Method, path: string, [init]: readonly unknown[]): Promise<T> {
    const {
      path: inPath,
      query,
      body,
      files,
      headers,
      idempotencyKey,
      signal,
    } = (init ?? {}) as AnyInit;
    checkPathVariables(inPath);
    const { response } = await this.request(method, path, {
      params: { path: inPath, query },
      body: body ?? (files ? {} : undefined),
      headers: { ...headers, ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
      signal,
      ...(files && { bodySerializer: (members: AnyInit['body']) => formOf(members ?? {}, files) }),
      parseAs: 'stream',
    });
    const text = await readText(response, signal);
    if (path.endsWith('.ics')) return text as T;
    return (text === '' ? undefined : parseJson(text)) as T;
  }

  /**
   * Sends a request with a token or the API key; after 401, once more with a new token of the same
   * user.
   */
  private async send(request: Request, transport: Fetch): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    const tokens = await untilAborted(this.tokens.valid(), signal);
    if (!tokens) return checked(await transport(this.withKey(request)));
    // Both attempts are the same write and need the same key.
    setIdempotencyKey(request);
    const first = await transport(authorized(request.clone(), tokens));
    if (first.status !== 401) return checked(first);
    const renewed = await untilAborted(this.tokens.refresh(tokens), signal);
    return checked(renewed ? await transport(authorized(request, renewed)) : first);
  }

  private withKey(request: Request): Request {
    const { apikey } = this.options;
    if (!apikey) return request;
    const url = new URL(request.url);
    url.searchParams.set('apikey', apikey);
    return new Request(url, request);
  }
}

/**
 * Rejects values with which `URL` removes a segment of the path. The request would call another
 * operation.
 * @throws TypeError
 */
function checkPathVariables(variables: AnyInit['path']): void {
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (['', '.', '..'].includes(String(value)))
      throw new TypeError(`invalid path variable ${name}: ${JSON.stringify(value)}`);
  }
}

function authorized(request: Request, { access_token }: Tokens): Request {
  request.headers.set('Authorization', `Bearer ${access_token}`);
  return request;
}

async function checked(response: Response): Promise<Response> {
  if (!response.ok) throw await errorOf(response);
  return response;
}
