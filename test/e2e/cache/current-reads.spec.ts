import { SampleService } from '../../../src/sample/sample.service';
import { atScale } from '../../figures';
import { startHarness, type Harness } from '../../harness';
import { type Call } from '../../http';
import { randomInteger } from '../../random';
import { ResponseCache } from '../../../src/api/cache/response-cache';
import { startSecond, type SecondServer } from './second-server';

/** Milliseconds after which a write is visible in other processes. */
const VISIBLE_MS = 100;
const KEYS = atScale(200, 20);
const CLIENTS = atScale(50, 20);
const SECONDS = atScale(600, 4);
const SETTINGS = { CACHE_MB: '64', TOKEN_CACHE_SECONDS: '60' };
const FIRST_ID = 6_000_000;

/** A write that was acknowledged, with the moment of its acknowledgement. */
interface Acknowledged {
  readonly version: number;
  readonly at: number;
}

/** What is known of one book: writes are one after the other, so that versions only grow. */
class History {
  version = 0;
  writing = false;
  private readonly writes: Acknowledged[] = [{ version: 0, at: -Infinity }];

  acknowledge(version: number): void {
    this.writes.push({ version, at: performance.now() });
  }

  /** The lowest version that a read which begins at a moment may return. */
  lowestAt(moment: number): number {
    for (let at = this.writes.length - 1; at >= 0; at -= 1) {
      const write = this.writes[at];
      if (write && write.at <= moment) return write.version;
    }
    return 0;
  }
}

let harness: Harness;
let second: SecondServer;
beforeAll(async () => {
  harness = await startHarness({ settings: SETTINGS });
  await harness.app.get(SampleService, { strict: false }).load();
  await harness.source.query(
    `INSERT INTO books (id, title) SELECT $1::bigint + n, '0' FROM generate_series(0, $2::int - 1) n`,
    [FIRST_ID, KEYS],
  );
  second = await startSecond(harness, SETTINGS);
});
afterAll(async () => {
  await second.close();
  await harness.close();
});

it('reads return every write that was acknowledged before, in other processes after 100 ms', async () => {
  const user = 1;
  await harness.source.query(`UPDATE users SET role = 'administrator' WHERE id = $1`, [user]);
  const token = await harness.token({
    userId: user,
    scopes: ['admin', 'book_basic_r'],
    approved: ['admin', 'book_basic_r'],
  });
  const servers: readonly Call[] = [harness.call, second.call];
  const histories = Array.from({ length: KEYS }, () => new History());
  const writers = Array.from({ length: KEYS }, () => 0);
  const faults: string[] = [];
  const end = performance.now() + SECONDS * 1000;
  let reads = 0;

  const write = async (book: number): Promise<void> => {
    const history = histories[book] as History;
    if (history.writing) return;
    history.writing = true;
    const version = history.version + 1;
    history.version = version;
    const server = randomInteger() % 2;
    const { status, text } = await (servers[server] as Call)(`/admin/v1/books/${FIRST_ID + book}`, {
      method: 'PUT',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: String(version) }),
    });
    writers[book] = server;
    if (status < 300) history.acknowledge(version);
    else faults.push(`${status} ${text}`);
    history.writing = false;
  };

  const read = async (book: number): Promise<void> => {
    const history = histories[book] as History;
    const server = randomInteger() % 2;
    const isSame = writers[book] === server && !history.writing;
    const lowest = history.lowestAt(performance.now() - (isSame ? 0 : VISIBLE_MS));
    const { status, body } = await (servers[server] as Call)(`/v2/book/${FIRST_ID + book}`);
    const { title } = body as { title: string };
    reads += 1;
    if (status !== 200 || Number(title) < lowest) {
      faults.push(
        `book ${book}: ${title} instead of ${lowest} or later, server ${server}, ${isSame}`,
      );
    }
  };

  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      // The squares of random numbers are small more often: some books are read most.
      const book = Math.floor((randomInteger() / 2 ** 32) ** 2 * KEYS);
      await (randomInteger() % 20 === 0 ? write(book) : read(book));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect(faults).toEqual([]);
  const { hits } = harness.app.get(ResponseCache, { strict: false }).statistics;
  expect(hits).toBeGreaterThan(reads / 10);
});
