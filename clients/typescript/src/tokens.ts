import { ApiError, errorOf, InvalidResponseError } from './errors';
import { TabLock } from './locks';
import {
  DEFAULT_TIMEOUT,
  parseJson,
  readText,
  type Fetch,
  type TransportOptions,
} from './transport';

/** Tokens of a user, or of the application itself. */
export interface Tokens {
  readonly access_token: string;
  /** Missing for tokens of applications. */
  readonly refresh_token?: string;
  /** Scopes, separated by spaces. */
  readonly scope?: string;
  /** Missing for tokens of applications. */
  readonly user_id?: string;
  readonly user_name?: string;
  /** Milliseconds since 1970 when the access token expires. */
  readonly expires_at: number;
}

/** Where tokens are kept: memory by default, or for example `localStorage`. */
export interface TokenStorage {
  get(): Tokens | undefined | Promise<Tokens | undefined>;
  /** @param tokens undefined deletes them */
  set(tokens: Tokens | undefined): void | Promise<void>;
  /**
   * Name of a storage that several tabs or workers share. Only one of them refreshes its tokens at a
   * time. Missing if one client uses the storage.
   */
  readonly sharedName?: string;
}

/** Keeps tokens in memory. */
export function memoryStorage(tokens?: Tokens): TokenStorage {
  let current = tokens;
  return {
    get: () => current,
    set: (next) => {
      current = next;
    },
  };
}

/** The part of the Web Storage API that tokens need. */
export interface WebStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** Parses stored tokens; undefined for invalid JSON. */
function parseTokens(text: string): Tokens | undefined {
  try {
    return (JSON.parse(text) as Tokens | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is `sessionStorage`, which tabs do not share. */
function isSessionStorage(storage: WebStorage): boolean {
  try {
    return (globalThis as { sessionStorage?: WebStorage }).sessionStorage === storage;
  } catch {
    // Browsers can deny access to it.
    return false;
  }
}

/** Keeps tokens in a Web Storage, such as `localStorage`, under `name`. */
export const webStorage = (storage: WebStorage, name = 'commonplace'): TokenStorage => ({
  get: () => parseTokens(storage.getItem(name) ?? ''),
  set: (tokens) =>
    tokens ? storage.setItem(name, JSON.stringify(tokens)) : storage.removeItem(name),
  ...(!isSessionStorage(storage) && { sharedName: name }),
});

/** A response of the token endpoint (RFC 6749, section 5.1). */
type TokenResponse = Omit<Tokens, 'expires_at'> & { readonly expires_in: number };

export interface TokenOptions {
  /** Address of the service. */
  readonly baseUrl: string;
  readonly clientId?: string;
  /** Only for confidential clients: never in a browser. */
  readonly clientSecret?: string;
  readonly storage?: TokenStorage;
  /** An access token that the client did not request, and cannot refresh. */
  readonly token?: string;
}

/** Milliseconds before the expiry at which an access token counts as expired. */
const MARGIN = 30_000;

/**
 * Keeps tokens in memory while the storage cannot store them, for example because it is full: a
 * refresh token is valid once, so without the new tokens the user would be signed out. A change of
 * the storage, such as a sign-out in another tab, takes precedence.
 */
function withMemoryFallback(storage: TokenStorage): TokenStorage {
  let unsaved: { readonly tokens: Tokens; readonly stored: string | undefined } | undefined;
  const get = async (): Promise<Tokens | undefined> => {
    const stored = await storage.get();
    if (stored?.access_token !== unsaved?.stored) unsaved = undefined;
    return unsaved?.tokens ?? stored;
  };
  return {
    get,
    set: async (tokens) => {
      unsaved = undefined;
      try {
        await storage.set(tokens);
      } catch (error) {
        if (!tokens) throw error;
        unsaved = { tokens, stored: (await storage.get())?.access_token };
      }
    },
  };
}

/** The tokens, if they belong to the same user or application as other ones. */
const ofSameUser = (
  tokens: Tokens | undefined,
  { user_id }: Pick<Tokens, 'user_id'>,
): Tokens | undefined => (tokens?.user_id === user_id ? tokens : undefined);

const givenToken = (access_token: string): Tokens => ({ access_token, expires_at: Infinity });

/** The tokens of one user or application, with automatic refresh. */
export class TokenSession {
  private readonly storage: TokenStorage;
  /** The lock of a shared storage. */
  private readonly lock: TabLock | undefined;
  /** Running refreshes by the access token that they replace. */
  private readonly running = new Map<string, Promise<Tokens | undefined>>();
  /** The latest sign-in, refresh or sign-out. */
  private latest: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: TokenOptions & Pick<TransportOptions, 'timeout'>,
    private readonly send: Fetch,
  ) {
    const { baseUrl, clientId, token, storage, timeout = DEFAULT_TIMEOUT } = options;
    if (storage?.sharedName !== undefined) {
      const name = `commonplace ${baseUrl} ${clientId} ${storage.sharedName}`;
      this.lock = TabLock.of(name, timeout);
    }
    const given = token ? givenToken(token) : undefined;
    this.storage = storage ? withMemoryFallback(storage) : memoryStorage(given);
  }

  /**
   * Requests the tokens of a user who signs in, or of the application. It waits for a running
   * refresh, which would otherwise replace them.
   *
   * @throws ApiError, InvalidResponseError, NetworkError, TimeoutError
   */
  signIn(parameters: Record<string, string>): Promise<Tokens> {
    return this.exclusively(async () => {
      const tokens = await this.request(parameters);
      await this.storage.set(tokens);
      return tokens;
    });
  }

  /**
   * Requests tokens from the token endpoint.
   *
   * @throws ApiError, InvalidResponseError, NetworkError, TimeoutError
   */
  private async request(parameters: Record<string, string>): Promise<Tokens> {
    const response = await this.post('token', parameters);
    const body = parseJson(await readText(response)) as TokenResponse | null;
    if (typeof body?.access_token !== 'string' || typeof body.expires_in !== 'number') {
      throw new InvalidResponseError('the response contains no access token');
    }
    const { expires_in, ...rest } = body;
    return { ...rest, expires_at: Date.now() + expires_in * 1000 };
  }

  /**
   * Tokens that are valid now, refreshed if necessary; undefined if nobody is signed in, or if
   * another user signs in during the refresh.
   *
   * @throws ApiError, InvalidResponseError, NetworkError, TimeoutError
   */
  async valid(): Promise<Tokens | undefined> {
    const tokens = await this.storage.get();
    const isFresh = tokens !== undefined && tokens.expires_at - MARGIN > Date.now();
    return isFresh ? tokens : tokens && this.refresh(tokens);
  }

  /**
   * Replaces rejected or expired tokens. Parallel calls with the same tokens share one request,
   * because a refresh token is valid once.
   *
   * @returns tokens of the same user; undefined if another user has signed in. Also undefined, and
   *   deletes the tokens, if they cannot be replaced
   * @throws ApiError, InvalidResponseError, NetworkError, TimeoutError
   */
  refresh(rejected: Tokens): Promise<Tokens | undefined> {
    const { access_token } = rejected;
    let refresh = this.running.get(access_token);
    if (!refresh) {
      refresh = this.exclusively(() => this.replace(rejected)).finally(() =>
        this.running.delete(access_token),
      );
      this.running.set(access_token, refresh);
    }
    return refresh;
  }

  /** Deletes the tokens, and revokes them even if that fails. It waits for a refresh. */
  async signOut(): Promise<void> {
    let tokens: Tokens | undefined;
    try {
      await this.exclusively(async () => {
        tokens = await this.storage.get();
        await this.storage.set(undefined);
      });
    } finally {
      if (tokens) await this.revoke(tokens);
    }
  }

  private async revoke({ refresh_token, access_token }: Tokens): Promise<void> {
    await this.post('revoke', { token: refresh_token ?? access_token });
  }

  /**
   * Runs one sign-in, refresh or sign-out at a time; in browsers, across all tabs that share the
   * storage.
   *
   * @throws TimeoutError if another tab does not finish within `timeout` milliseconds
   */
  private exclusively<T>(task: () => Promise<T>): Promise<T> {
    // A refresh never runs without the lock: the service revokes the tokens of a user whose refresh
    // token is used twice.
    const result = this.latest.then(() => (this.lock ? this.lock.run(task) : task()));
    this.latest = result.catch(() => undefined);
    return result;
  }

  private async replace(rejected: Tokens): Promise<Tokens | undefined> {
    const { access_token } = rejected;
    await this.lock?.awaitChange(access_token, async () => {
      return (await this.storage.get())?.access_token === access_token;
    });
    const stored = await this.storage.get();
    // They were refreshed meanwhile, for example by another tab, or the user has signed out.
    if (stored?.access_token !== access_token) return ofSameUser(stored, rejected);
    let tokens: Tokens | undefined;
    try {
      tokens = await this.requestNew(rejected);
    } catch (error) {
      // After other errors, such as a wrong secret of the application, the user stays signed in.
      if (!(error instanceof ApiError) || error.oauthError !== 'invalid_grant') throw error;
    }
    // Where no lock is shared, another client may have refreshed them, or signed in or out.
    const current = await this.storage.get();
    if (current?.access_token !== access_token) {
      if (tokens) await this.revoke(tokens).catch(() => undefined);
      return ofSameUser(current, rejected);
    }
    await this.storage.set(tokens);
    // Nothing has changed for other tabs if the storage is full.
    const shared = await this.options.storage?.get();
    if (shared?.access_token !== access_token) await this.lock?.announce(access_token);
    return tokens;
  }

  /** Requests tokens in place of others; undefined if that is not possible. */
  private async requestNew({ refresh_token, user_id, scope }: Tokens): Promise<Tokens | undefined> {
    if (refresh_token) return this.request({ grant_type: 'refresh_token', refresh_token });
    if (!this.options.clientSecret || user_id) return undefined;
    return this.request({ grant_type: 'client_credentials', ...(scope && { scope }) });
  }

  private async post(endpoint: string, parameters: Record<string, string>): Promise<Response> {
    const { baseUrl, clientId = '', clientSecret } = this.options;
    const body = new URLSearchParams({ ...parameters, client_id: clientId });
    if (clientSecret) body.set('client_secret', clientSecret);
    const url = `${baseUrl}/service/auth2/${endpoint}`;
    const response = await this.send(new Request(url, { method: 'POST', body }));
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}
