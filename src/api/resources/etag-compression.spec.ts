import { Settings } from '../../config/settings';
import { type ApiError } from '../errors/error-codes';
import { type ContentEncoding } from '../http/content-encoding';
import { ClientPresence } from '../http/client-presence';
import { type ApiRequest } from '../http/request-context';
import { RenderedPieces, type Rendered } from '../http/rendered-body';
import { type RequestLimits } from '../limits/limit.decision';
import { EtagCompressionInterceptor } from './etag-compression.interceptor';
import { LARGE_RESPONSE_BYTES } from './large-response-queue';

const [ATTACKER, OTHER, THIRD] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const LARGE = LARGE_RESPONSE_BYTES + 1;

let interceptor: EtagCompressionInterceptor;
/** Addresses whose bodies are being compressed. */
let running: string[];
/** Ends the compression of the oldest of them. */
let ends: (() => void)[];
beforeEach(() => {
  interceptor = new EtagCompressionInterceptor({} as RequestLimits, new Settings());
  running = [];
  ends = [];
});

/** Lets promises that can continue do so. */
const settled = (): Promise<void> => new Promise(setImmediate);

interface Requested {
  readonly headers: Headers;
  /** `sent`, or the status of an error; undefined while the response waits. */
  outcome?: string;
  readonly presence: ClientPresence;
}

/** Requests a response whose compression ends when the test ends it. */
async function request(address: string, accept = 'br', byteLength = LARGE): Promise<Requested> {
  const presence = new ClientPresence();
  const result: Requested = { headers: new Headers(), presence };
  const bodyOf = (encoding: ContentEncoding | undefined): Rendered | Promise<Rendered> => {
    const body = new RenderedPieces([], 'text/plain');
    if (encoding === undefined) return body;
    running.push(address);
    return new Promise((resolve) => {
      ends.push(() => {
        running.shift();
        resolve(body);
      });
    });
  };
  const fields = {
    setHeader: (name: string, value: unknown) => {
      result.headers.set(name, String(value));
    },
    hasHeader: (name: string) => result.headers.has(name),
  };
  const incoming = {
    headers: { 'accept-encoding': accept },
    context: { addressKey: address, presence },
  };
  Promise.resolve(
    interceptor.choose(incoming as unknown as ApiRequest, fields as never, {
      byteLength,
      tagOf: (encoding) => `"${encoding ?? 'identity'}"`,
      bodyOf,
    }),
  ).then(
    () => (result.outcome = 'sent'),
    (error: unknown) => (result.outcome = String((error as ApiError).status)),
  );
  await settled();
  return result;
}

async function endOldest(): Promise<void> {
  ends.shift()?.();
  await settled();
}

const encodingsOf = (requests: readonly Requested[]): unknown[] =>
  requests.map(({ headers, outcome }) => outcome && (headers.get('Content-Encoding') ?? 'none'));

it('compresses two large bodies at once, and one for each address', async () => {
  const many = [];
  for (let count = 0; count < 20; count += 1) many.push(await request(ATTACKER));
  expect(running).toEqual([ATTACKER]);
  await request(OTHER);
  await request(THIRD);
  expect(running).toEqual([ATTACKER, OTHER]);
  let most = 0;
  while (ends.length > 0) {
    most = Math.max(most, running.length);
    await endOldest();
  }
  expect(most).toBe(2);
  expect(many.every(({ outcome }) => outcome === 'sent')).toBe(true);
});

it('sends large bodies without compression while too many wait for it', async () => {
  const many = [];
  for (let count = 0; count < 7; count += 1) many.push(await request(ATTACKER));
  const waiting = Array<undefined>(5).fill(undefined);
  expect(encodingsOf(many)).toEqual([...waiting, 'none', 'none']);
  expect(many[6]?.headers.get('ETag')).toBe('"identity"');
  while (ends.length > 0) await endOldest();
  expect(encodingsOf(many)).toEqual([...Array<string>(5).fill('br'), 'none', 'none']);
  expect(many[0]?.headers.get('ETag')).toBe('"br"');
});

it('rejects further requests with 503 if they accept no body without encoding', async () => {
  for (let count = 0; count < 5; count += 1) await request(ATTACKER);
  expect(await request(ATTACKER, 'br, identity;q=0')).toMatchObject({ outcome: '503' });
});

it('gives the turn of a client that left to another', async () => {
  await request(ATTACKER);
  const left = await request(ATTACKER);
  const last = await request(ATTACKER);
  left.presence.leave();
  await endOldest();
  await endOldest();
  expect([left.outcome, last.outcome]).toEqual(['503', 'sent']);
});

it('compresses other bodies at once', async () => {
  for (let count = 0; count < 8; count += 1) await request(ATTACKER, 'br', LARGE_RESPONSE_BYTES);
  expect(running).toHaveLength(8);
});
