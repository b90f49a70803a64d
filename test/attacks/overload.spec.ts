import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon, { type Result } from 'autocannon';
import { COMMON_PUBLISHER, syntheticBooks } from '../../src/import-export/synthetic/synthetic';
import { atScale, atShare, figure } from '../figures';
import { Target } from './target';

const BOOKS = atScale(50_000, 500);
const CONNECTIONS = atScale(2000, 100);
const SECONDS = atScale(30, 2);

/** Nearly every book matches: nothing that callers may ask for costs more. */
const SEARCH = `/v2/book/search?q=${encodeURIComponent(COMMON_PUBLISHER.slice(0, 2))}&count=100`;

let target: Target;
beforeAll(async () => {
  target = await Target.start();
  const file = join(target.folder, 'books.ndjson');
  const volume = { books: BOOKS, users: 1, collections: 0, seed: 1 };
  await writeFile(file, [...syntheticBooks(volume)].join(''));
  const { code, stderr } = await target.command(['import', 'book', file]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await target.opened.source.query('VACUUM ANALYZE');
});
afterAll(() => target.close());

/** What the clients of an overload saw. */
interface Seen {
  readonly statuses: ReadonlyMap<number, number>;
  /** Seconds that refusals took. */
  readonly refusals: readonly number[];
  readonly errors: number;
}

/** Clients that ask again as soon as they have been answered. */
async function overload(): Promise<Seen> {
  const statuses = new Map<number, number>();
  const refusals: number[] = [];
  const options = {
    url: target.origin + SEARCH,
    connections: CONNECTIONS,
    duration: SECONDS,
    timeout: 60,
  };
  const { errors } = await new Promise<Result>((resolve, reject) => {
    const ended = (error: Error | null, result: Result): void => {
      if (error) reject(error);
      else resolve(result);
    };
    autocannon(options, ended).on('response', (_client, status, _bytes, milliseconds) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) refusals.push(milliseconds / 1000);
    });
  });
  return { statuses, refusals, errors };
}

it('an overload of searches is served as far as it can be, and the rest refused soon', async () => {
  const { statuses, refusals, errors } = await target.attack(
    'overload',
    async () => {
      const seen = await overload();
      const endedAt = performance.now();
      while ((await target.call(SEARCH)).status !== 200);
      figure('served again after the overload: s', (performance.now() - endedAt) / 1000, {
        atMost: 2,
      });
      return seen;
    },
    0.99,
  );
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(0);
  expect(errors).toBe(0);
  figure('95 in 100 refusals: s', atShare(refusals, 0.95), { atMost: 1 });
  figure('slowest refusal: s', atShare(refusals, 1), { atMost: 10 });
});
