import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Settings } from '../../src/config/settings';
import { COMMON_PUBLISHER, syntheticBooks } from '../../src/import-export/synthetic/synthetic';
import { atScale, atShare, figure } from '../figures';
import { Target } from './target';

const BOOKS = atScale(50_000, 500);
const CONNECTIONS = atScale(2000, 100);
const SECONDS = atScale(30, 2);
const WARM_UP_SECONDS = atScale(4, 1);

/** Nearly every book matches: nothing that callers may ask for costs more. */
const SEARCH = `/v2/book/search?q=${encodeURIComponent(COMMON_PUBLISHER.slice(0, 2))}&count=100`;

let target: Target;
beforeAll(async () => {
  const { DATABASE_QUEUE_TIMEOUT_MS, REQUEST_QUEUE_TIMEOUT_MS } = new Settings();
  target = await Target.start({
    DATABASE_QUEUE_TIMEOUT_MS: String(DATABASE_QUEUE_TIMEOUT_MS),
    REQUEST_QUEUE_TIMEOUT_MS: String(REQUEST_QUEUE_TIMEOUT_MS),
  });
  const file = join(target.folder, 'books.ndjson');
  const volume = { books: BOOKS, users: 1, collections: 0, seed: 1 };
  await writeFile(file, [...syntheticBooks(volume)].join(''));
  const { code, stderr } = await target.command(['import', 'book', file]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await target.opened.source.query('VACUUM ANALYZE');
});
afterAll(() => target.close());

/** Responses that the clients of an overload got. */
interface Seen {
  /** Milliseconds that responses took, by status. */
  readonly milliseconds: Readonly<Record<string, readonly number[]>>;
  readonly errors: number;
}

/** Clients that connect at once, and request again as soon as they have a response. */
async function overload(connections: number, seconds: number): Promise<Seen> {
  const workerData = {
    port: target.port,
    path: SEARCH,
    connections,
    seconds,
  };
  const worker = new Worker(join(__dirname, 'flood.js'), { workerData });
  const [seen] = (await once(worker, 'message')) as [Seen];
  await worker.terminate();
  return seen;
}

it('an overload of searches is served up to the capacity, and the rest is rejected quickly', async () => {
  // The code of a server that has run for some seconds is compiled.
  await overload(CONNECTIONS / 10, WARM_UP_SECONDS);
  const { milliseconds, errors } = await target.attack(
    'overload',
    async () => {
      const seen = await overload(CONNECTIONS, SECONDS);
      const endedAt = performance.now();
      while ((await target.call(SEARCH)).status !== 200);
      figure('served again after the overload: s', (performance.now() - endedAt) / 1000, {
        atMost: 2,
      });
      return seen;
    },
    0.99,
  );
  const others = Object.keys(milliseconds).filter((status) => status !== '200' && status !== '503');
  expect(others).toEqual([]);
  expect(milliseconds['200']?.length).toBeGreaterThan(0);
  expect(errors).toBe(0);
  const refusals = milliseconds['503']?.map((each) => each / 1000) ?? [];
  figure('95 in 100 refusals: s', atShare(refusals, 0.95), { atMost: 1 });
  figure('slowest refusal: s', atShare(refusals, 1), { atMost: 1 });
});
