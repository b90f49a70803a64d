import { openDatabase } from '../../../src/server/open-database';
import { makeDataSource } from '../../../src/database/data-source';
import { statement } from '../../../src/database/database';
import { Workshop } from '../../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { testSettings } from '../../settings';
import { PgBouncer } from './pgbouncer';

let pooler: PgBouncer;
let opened: TestDatabase;
let other: TestDatabase;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  pooler = await PgBouncer.open(String(process.env.TEST_SERVER_URL), {
    mode: 'transaction',
    // The connection that waited longest comes next: statements of a client change sessions.
    more: ['server_round_robin = 1'],
  });
  closing.unshift(() => pooler.close());
  opened = await openTestDatabase();
  closing.unshift(() => opened.close());
  other = await openTestDatabase();
  closing.unshift(() => other.close());
});
afterAll(async () => {
  for (const close of closing) await close();
});

const opening = async (settings: Record<string, string>): Promise<void> => {
  const database = await openDatabase(testSettings(settings));
  await database.close();
};

it('a pooler in transaction mode is rejected as a direct connection', async () => {
  const DATABASE_URL = pooler.urlOf(opened.url);
  await expect(opening({ DATABASE_URL })).rejects.toThrow(
    /^DATABASE_URL points to a pooler in transaction mode, which requires .+ and DATABASE_DIRECT_URL\.$/,
  );
  const direct = { DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL };
  await expect(opening({ ...direct, DATABASE_POOLING: 'transaction' })).rejects.toThrow(
    /^DATABASE_DIRECT_URL points to a pooler in transaction mode\. It must point to PostgreSQL\.$/,
  );
});

it('addresses of different databases are rejected', async () => {
  await expect(
    opening({
      DATABASE_URL: pooler.urlOf(opened.url),
      DATABASE_DIRECT_URL: other.url,
      DATABASE_POOLING: 'transaction',
    }),
  ).rejects.toThrow(/^DATABASE_DIRECT_URL and DATABASE_URL point to different databases\.$/);
});

it('a direct connection that does not keep its settings is rejected', async () => {
  const DATABASE_URL = pooler.urlOf(opened.url);
  const settings = testSettings({ DATABASE_POOL: '8' });
  // The pooler opens several sessions for what runs at the same time.
  const pooled = makeDataSource(settings, DATABASE_URL, [], 'transaction');
  await pooled.initialize();
  await Promise.all(Array.from({ length: 8 }, () => pooled.query('SELECT pg_sleep(0.2)')));
  await pooled.destroy();
  const source = makeDataSource(settings, DATABASE_URL, []);
  await expect(source.initialize()).rejects.toThrow(/^the connection does not keep its session: /);
});

it('PostgreSQL itself, and a pooler with DATABASE_DIRECT_URL, are accepted', async () => {
  await opening({ DATABASE_URL: opened.url });
  await opening({
    DATABASE_URL: pooler.urlOf(opened.url),
    DATABASE_DIRECT_URL: opened.url,
    DATABASE_POOLING: 'transaction',
  });
});

it('the server and its commands start behind a pooler in transaction mode', async () => {
  const workshop = await Workshop.open();
  closing.unshift(() => workshop.close());
  const env = {
    DATABASE_URL: pooler.urlOf(opened.url),
    DATABASE_DIRECT_URL: opened.url,
    DATABASE_POOLING: 'transaction',
  };
  // Migrations take a lock of a session.
  await opened.source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const server = await workshop.serve(env);
  expect(await server.get('/readyz')).toEqual([200, { status: 'ready' }]);
  expect(await workshop.result(env, 'user', 'create', '--uid', 'ann', '--name', 'Ann')) //
    .toMatchObject({ uid: 'ann' });
  const users = statement('start.users', 'SELECT uid FROM users');
  expect(await opened.database.query(users)).toEqual([{ uid: 'ann' }]);
  expect((await server.stop()).code).toBe(0);
});
