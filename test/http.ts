/** An answer, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; reading it fails the test when it is none. */
  // Tests look into bodies freely; what is not there makes their expectations fail.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly method?: string;
  /** Access token. */
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | FormData | URLSearchParams;
}

/** Calls a path of a server. */
export type Call = (path: string, options?: CallOptions) => Promise<Answer>;

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}

/** Calls paths of a server, wherever it is; follows no redirect. */
export const callAt =
  (origin: string): Call =>
  async (path, { method = 'GET', token, headers = {}, body } = {}) => {
    const all = { ...headers };
    if (token !== undefined) all.authorization = `Bearer ${token}`;
    return read(await fetch(origin + path, { method, headers: all, body, redirect: 'manual' }));
  };
