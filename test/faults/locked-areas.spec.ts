import { Client } from 'pg';
import { Factories } from '../factories/factories';
import { MovieFactories } from '../factories/movies';
import { startHarness, type Harness } from '../harness';
import { lockWaiters } from '../lock-waiters';
import { until } from './collectors';
import { sendFrom } from './send-from';

const POOL = 10;
/** Connections of one area. */
const MAX_OF_AREA = 7;
/** Connections of two areas together: the last one is for areas without any. */
const MAX_OF_TWO_AREAS = 9;
const REQUESTS = 60;
const ISBN = '9787111128069';

let harness: Harness;
let locker: Client;
let book: number;
let film: number;
beforeAll(async () => {
  harness = await startHarness({
    settings: {
      CACHE_MB: '0',
      DATABASE_POOL: String(POOL),
      DATABASE_QUEUE: '20',
      DATABASE_STATEMENT_TIMEOUT_MS: '60000',
      DATABASE_LOCK_TIMEOUT_MS: '60000',
    },
  });
  book = await new Factories(harness.database).aBook({ isbn13: ISBN });
  film = (await new MovieFactories(harness.database).subjects(1))[0] as number;
  locker = new Client({ connectionString: harness.url });
  await locker.connect();
});
afterAll(async () => {
  await locker.end();
  await harness.close();
});

it('a locked table that two areas use leaves connections to others', async () => {
  await locker.query('BEGIN; LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
  const statuses: number[] = [];
  const send = async (address: string, path: string): Promise<void> => {
    statuses.push(await sendFrom(harness.origin, address, path));
  };
  const reads = Array.from({ length: REQUESTS }, () => send('127.0.0.2', `/v2/book/isbn/${ISBN}`));
  // The area that comes first takes its whole share.
  await until('reads wait', async () => (await lockWaiters(locker)) === MAX_OF_AREA);
  const pages = Array.from({ length: REQUESTS }, (_, at) =>
    send('127.0.0.3', `/book/${book + at}/`),
  );
  await until('both wait', async () => (await lockWaiters(locker)) === MAX_OF_TWO_AREAS);
  for (let time = 0; time < 20; time += 1) {
    const others = [`/v2/movie/subject/${film}`, '/v2/event/list', '/v2/loc/list'];
    const served = others.map((path) => sendFrom(harness.origin, '127.0.0.4', path));
    expect(await Promise.all(served)).toEqual([200, 200, 200]);
  }
  expect(await lockWaiters(locker)).toBe(MAX_OF_TWO_AREAS);
  await locker.query('ROLLBACK');
  await Promise.all([...reads, ...pages]);
  expect(new Set(statuses)).toEqual(new Set([200, 404, 503]));
});
