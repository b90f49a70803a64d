import { atScale, figure } from '../figures';
import { type StopMode } from './postgres';
import { Scene } from './scene';
import { Collectors, SAVED_BEFORE, until } from './collectors';

const WRITERS = atScale(50, 5);
/** Each as a shutdown, and then as a crash. */
const RESTARTS = atScale(10, 2);
/** Writes between two faults. */
const BETWEEN = atScale(200, 20);

/** Seconds within which everything is as before, and within which something succeeds. */
const RECOVERY = 15;
const FIRST_SUCCESS = 3;

let scene: Scene;
let people: { tokens: string[]; books: number[] };
/** Writers have books of their own in each test. */
let next = 0;

const books = (count: number): number[] => people.books.slice(next, (next += count));

/** Lets users write while something happens to PostgreSQL, and holds what must hold then. */
async function underWrites(work: (writers: Collectors) => Promise<void>): Promise<void> {
  const writers = new Collectors(scene, people.tokens, books(people.books.length / 4));
  await writers.succeed(BETWEEN);
  await work(writers);
  await writers.succeed(BETWEEN);
  await writers.stop();
  expect(scene.isAlive).toBe(true);
  const expected = ['201', String(SAVED_BEFORE), '503'];
  expect(Object.keys(writers.statuses).filter((status) => !expected.includes(status))).toEqual([]);
  expect(writers.withoutRetryAfter).toBe(0);
  expect(await writers.lost()).toEqual([]);
}

beforeAll(async () => {
  scene = await Scene.open();
  people = await scene.people(WRITERS, 4 * atScale(3_000, 300));
}, 600_000);
afterAll(() => scene.close());

it('no acknowledged write is lost when PostgreSQL restarts', async () => {
  await underWrites(async (writers) => {
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const mode: StopMode = restart % 2 === 0 ? 'fast' : 'immediate';
      await scene.postgres.down(mode);
      await writers.fail(WRITERS);
      await scene.postgres.up();
      const seconds = await writers.succeed(1);
      figure(`restart (${mode}): s to the first success`, seconds, { atMost: FIRST_SUCCESS });
      await writers.succeed(BETWEEN);
    }
  });
}, 600_000);

it('the service recovers after a session is killed and PostgreSQL recovers', async () => {
  await underWrites(async (writers) => {
    await scene.postgres.crashSession();
    await writers.fail(1);
    await scene.postgres.ready();
    const seconds = await writers.succeed(1);
    figure('killed session: s to the first success', seconds, { atMost: FIRST_SUCCESS });
  });
}, 600_000);

it('reads continue and writes return 503 while PostgreSQL is read-only', async () => {
  const read = `/v2/book/${people.books[0]}`;
  await underWrites(async (writers) => {
    await scene.postgres.demote();
    await writers.fail(WRITERS);
    await until('reads go on', async () => (await scene.call(read)).status === 200);
    const ready = await scene.call('/readyz');
    expect([ready.status, ready.headers.get('x-error-detail')]).toEqual([
      503,
      expect.stringContaining('read-only'),
    ]);
    expect((await scene.call('/healthz')).status).toBe(200);
    await scene.postgres.promote();
    const seconds = await writers.succeed(1);
    figure('demoted: s to the first success', seconds, { atMost: RECOVERY });
    await until('it is ready', async () => (await scene.call('/readyz')).status === 200);
  });
}, 600_000);
