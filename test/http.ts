import * as http from 'node:http';
import * as https from 'node:https';
import { checkError } from './seen-errors';

/** A response that was read. */
export interface TestResponse {
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

/** Calls a path of a server; follows no redirect. */
export type Call = (path: string, options?: CallOptions) => Promise<TestResponse>;

async function read(response: http.IncomingMessage): Promise<TestResponse> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  const headers = new Headers();
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    headers.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '');
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    text,
    get body(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}

/** A body as bytes, with the type that a form brings along. */
async function bytesOf(
  body: CallOptions['body'],
): Promise<[bytes: Buffer | undefined, type: string | null]> {
  if (body === undefined || Buffer.isBuffer(body)) return [body, null];
  const message = new Response(body);
  return [Buffer.from(await message.arrayBuffer()), message.headers.get('content-type')];
}

/**
 * Calls paths of the server at `origin`. Suites call tens of thousands of times: this takes half of
 * what `fetch` does.
 *
 * @param ca certificate of a server with TLS, if no authority signed it
 */
export function callAt(origin: string, { ca }: { readonly ca?: string } = {}): Call {
  const { Agent, request } = origin.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, ...(ca !== undefined && { ca }) });
  return async (path, { method = 'GET', token, headers = {}, body } = {}) => {
    const [bytes, type] = await bytesOf(body);
    const all = new Headers(headers);
    if (token !== undefined) all.set('authorization', `Bearer ${token}`);
    if (type !== null && !all.has('content-type')) all.set('content-type', type);
    if (bytes ?? method !== 'GET') all.set('content-length', String(bytes?.length ?? 0));
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request(new URL(origin + path), { agent, method, headers: Object.fromEntries(all) }, resolve)
        .on('error', reject)
        .end(bytes);
    });
    const result = await read(response);
    checkError(method, path, result.status, result.text);
    return result;
  };
}
