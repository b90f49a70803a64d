import { InvalidResponseError, NetworkError, retryAfterOf, TimeoutError } from './errors';

/** Sends a request; `globalThis.fetch` and its replacements. */
export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** Replaces `globalThis.fetch`. */
  readonly fetch?: Fetch;
  /**
   * Milliseconds until one attempt, or waiting for the refresh of another tab, fails with a
   * {@link TimeoutError}; 30,000 by default.
   */
  readonly timeout?: number;
  /** Number of repetitions of a failed request; 3 by default. */
  readonly retries?: number;
  /** A response whose `Retry-After` is longer is not repeated; 60 seconds by default. */
  readonly maxRetryAfter?: number;
}

/** Milliseconds of {@link TransportOptions.timeout} by default. */
export const DEFAULT_TIMEOUT = 30_000;

/**
 * Reads a body.
 *
 * @throws TimeoutError, NetworkError; the reason of the signal when it is aborted
 */
async function readBody<Body>(read: () => Promise<Body>, signal?: AbortSignal): Promise<Body> {
  try {
    return await read();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const isTimeout = (cause as Error).name === 'TimeoutError';
    throw new (isTimeout ? TimeoutError : NetworkError)('the response is incomplete', { cause });
  }
}

/** Reads the body of a response as text. Errors are those of the transport. */
export const readText = (response: Response, signal?: AbortSignal): Promise<string> =>
  readBody(() => response.text(), signal);

/** A response whose body has arrived. Errors are those of the transport. */
async function withBody(
  response: Response,
  { caller, signal }: Pick<Attempt, 'caller' | 'signal'>,
): Promise<Response> {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const read = () => untilAborted(response.arrayBuffer(), signal);
  const bytes = await readBody(read, caller.signal);
  return new Response(bytes, { status, statusText, headers });
}

/**
 * A request that is sent once. It refers to everything that aborts the request until the body of the
 * response has arrived: the signal of a `Request` that is garbage aborts nothing.
 */
interface Attempt {
  readonly caller: Request;
  readonly sent: Request;
  /** Aborted by the caller, or when the time is over. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Parses the body of a response. @throws InvalidResponseError if it is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidResponseError('the response is not JSON', { cause });
  }
}

const KEY = 'Idempotency-Key';
/** Statuses after which a request can be repeated. 409 is a running request with the same key. */
const TEMPORARY = new Set([429, 502, 503, 504]);

/** A code or refresh token is valid once. */
const isTokenRequest = ({ url }: Request): boolean =>
  new URL(url).pathname.endsWith('/service/auth2/token');

/** Whether repeating the request has no further effect. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  method !== 'POST' || headers.has(KEY);

/**
 * Gives a POST an `Idempotency-Key` unless it has one, so that the service executes it once. Token
 * requests get none: the service ignores it.
 */
export function setIdempotencyKey(request: Request): void {
  if (request.method === 'POST' && !request.headers.has(KEY) && !isTokenRequest(request))
    request.headers.set(KEY, crypto.randomUUID());
}

/** Browsers hide the status and the address of a redirect. */
const isRedirect = ({ type, status, headers }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('Location'));

/** An address for messages, without its query, which has the API key and texts of users. */
function withoutQuery(address: string | URL): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** The target of a redirect, without its query. */
function redirectTarget({ url }: Request, { headers }: Response): string {
  const location = headers.get('Location');
  if (location === null || !URL.canParse(location, url)) return 'another address';
  return withoutQuery(new URL(location, url));
}

/**
 * The error of a write that was redirected. Following it would send secrets and texts to another
 * address, or, after 301 to 303, a GET that writes nothing.
 */
async function redirectError(request: Request, response: Response): Promise<InvalidResponseError> {
  await response.body?.cancel().catch(() => undefined);
  const [from, to] = [withoutQuery(request.url), redirectTarget(request, response)];
  return new InvalidResponseError(
    `${request.method} ${from} was redirected to ${to}; the base URL may be wrong`,
  );
}

/**
 * Waits for a promise until the signal is aborted. The work behind the promise goes on, because
 * other requests may wait for it too.
 *
 * @throws the reason of the signal when it is aborted
 */
export const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).then(() => signal.removeEventListener('abort', abort));
  });

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

/** Seconds before an attempt without `Retry-After`: 0.25, 0.5, 1 and so on, less up to a half. */
const backoff = (attempt: number): number => 2 ** (attempt - 2) * (0.5 + Math.random() / 2);

/**
 * A `fetch` with timeouts and retries. It returns complete responses, repeats requests after 429,
 * 502, 503, 504 and broken connections, and waits for `Retry-After`. Each POST but token requests
 * gets an `Idempotency-Key`, so that the service executes it once. Only GET follows redirects.
 *
 * @throws TimeoutError, NetworkError; InvalidResponseError for a redirected write; the reason of the
 *   request's signal when it is aborted
 */
export function createTransport(options: TransportOptions = {}): Fetch {
  const { timeout = DEFAULT_TIMEOUT, retries = 3, maxRetryAfter = 60 } = options;
  const send = options.fetch ?? ((request: Request) => fetch(request));

  /** @param copy of the caller's request, whose body is sent */
  function begin(caller: Request, copy: Request): Attempt {
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort(caller.signal.reason);
    const timer = setTimeout(
      () => controller.abort(new DOMException(`no response in ${timeout} ms`, 'TimeoutError')),
      timeout,
    );
    const end = (): void => {
      clearTimeout(timer);
      caller.signal.removeEventListener('abort', abort);
    };
    if (caller.signal.aborted) abort();
    caller.signal.addEventListener('abort', abort);
    const redirect = copy.method === 'GET' ? copy.redirect : 'manual';
    return { caller, sent: new Request(copy, { signal, redirect }), signal, end };
  }

  async function receive({ caller, sent, signal }: Attempt): Promise<Response> {
    let response: Response;
    try {
      response = await untilAborted(send(sent), signal);
    } catch (cause) {
      if (caller.signal.aborted) throw caller.signal.reason;
      if (signal.aborted) throw new TimeoutError(`no response in ${timeout} ms`, { cause });
      throw new NetworkError(`${sent.method} ${withoutQuery(sent.url)} failed`, { cause });
    }
    if (sent.method !== 'GET' && isRedirect(response)) throw await redirectError(sent, response);
    return response;
  }

  /** Seconds to wait before the next attempt; undefined if the response is final. */
  function delayAfter(request: Request, response: Response, count: number): number | undefined {
    const wait = retryAfterOf(response);
    const isRunning = response.status === 409 && wait !== undefined && request.headers.has(KEY);
    if (!TEMPORARY.has(response.status) && !isRunning) return undefined;
    // The service has not executed what it rejected with 429 or 503, unless its database failed in
    // that moment: a token request may then have used its code or refresh token.
    const unexecuted = isTokenRequest(request) ? [429] : [429, 503];
    if (!unexecuted.includes(response.status) && !isRepeatable(request)) return undefined;
    const seconds = wait ?? backoff(count);
    return seconds <= maxRetryAfter ? seconds : undefined;
  }

  return async (request) => {
    setIdempotencyKey(request);
    for (let count = 1; ; count += 1) {
      const isLast = count > retries;
      let delay: number | undefined;
      // A body can be read once: each attempt but the last one sends a copy.
      const attempt = begin(request, isLast ? request : request.clone());
      try {
        const response = await receive(attempt);
        delay = isLast ? undefined : delayAfter(request, response, count);
        // The body is a part of the attempt: a connection may break while it arrives.
        if (delay === undefined) return await withBody(response, attempt);
        // Its body is not needed, and may have broken.
        await response.body?.cancel().catch(() => undefined);
      } catch (error) {
        const isTransient = error instanceof NetworkError || error instanceof TimeoutError;
        if (isLast || !isTransient || !isRepeatable(request)) throw error;
        delay = backoff(count);
      } finally {
        attempt.end();
      }
      await pause(delay, request.signal);
    }
  };
}
