import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import { openDatabase } from '../../src/server/open-database';
import { makeDataSource } from '../../src/database/data-source';
import { Database, statement } from '../../src/database/database';
import { openTestDatabase, type TestDatabase } from '../harness';
import { databaseAt, testSettings } from '../settings';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.source.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET TimeZone = ''America/New_York''', current_database());
    EXECUTE format('ALTER DATABASE %I SET DateStyle = ''SQL, DMY''', current_database());
  END $$`);
});
afterAll(() => opened.close());

const SETTINGS = `SELECT name, setting, source FROM pg_settings WHERE name IN ('TimeZone', 'DateStyle',
  'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY lower(name)`;
const WANTED = [
  { name: 'DateStyle', setting: 'ISO, MDY' },
  { name: 'idle_in_transaction_session_timeout', setting: '7000' },
  { name: 'lock_timeout', setting: '300' },
  { name: 'statement_timeout', setting: '600' },
  { name: 'TimeZone', setting: 'Asia/Shanghai' },
].map((setting) => ({ ...setting, source: 'session' }));

const settings = testSettings({
  DATABASE_STATEMENT_TIMEOUT_MS: '600',
  DATABASE_LOCK_TIMEOUT_MS: '300',
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '7000',
  DATABASE_POOL: '1',
});

// The second mode works without a pooler, too.
describe.each(['session', 'transaction'] as const)('connections in %s mode', (pooling) => {
  let source: DataSource;
  let database: Database;
  beforeAll(async () => {
    source = makeDataSource(settings, opened.url, [], pooling);
    await source.initialize();
    database = new Database(source);
  });
  afterAll(() => source.destroy());

  it('get their settings by statements, not in the startup message', async () => {
    const read = statement(`session.settings.${pooling}`, SETTINGS);
    expect(await database.query(read)).toEqual(WANTED);
    expect(await database.transaction((runner) => runner.query(read))).toEqual(WANTED);
    expect(await database.snapshot((runner) => runner.query(read))).toEqual(WANTED);
    expect(await source.query(SETTINGS)).toEqual(WANTED);
  });

  it('return the rows and errors of each pipelined statement to its caller', async () => {
    const echo = statement('session.echo', 'SELECT $1::int AS n');
    const divide = statement('session.divide', 'SELECT 1 / $1::int AS n');
    const none = statement('session.none', 'SELECT 1 AS n WHERE false');
    const outcomes = await Promise.allSettled([
      database.query(echo, [1]),
      database.query(divide, [0]),
      database.query(none),
      database.query(echo, ['not a number']),
      database.query(echo, [2]),
    ]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: [{ n: 1 }] },
      { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) as unknown },
      { status: 'fulfilled', value: [] },
      { status: 'rejected', reason: expect.objectContaining({ code: '22P02' }) as unknown },
      { status: 'fulfilled', value: [{ n: 2 }] },
    ]);
  });

  it('cancel statements after the timeout', async () => {
    const sleep = statement('session.sleep', 'SELECT pg_sleep($1::float8)');
    const slow = { cause: { code: '57014' } };
    await expect(database.query(sleep, [30])).rejects.toMatchObject(slow);
    const inside = database.transaction((runner) => runner.query(sleep, [30]));
    await expect(inside).rejects.toMatchObject(slow);
  });

  it('roll back a failed transaction, and stay usable', async () => {
    const add = statement('session.add', `INSERT INTO series (title) VALUES ($1)`);
    const count = statement('session.count', 'SELECT count(*)::int AS n FROM series');
    const failing = database.transaction(async (runner) => {
      await runner.query(add, ['a']);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await database.query(count)).toEqual([{ n: 0 }]);
  });

  it(`keep ${pooling === 'session' ? 'prepared statements' : 'nothing'} on the session`, async () => {
    const prepared = statement(
      'session.prepared',
      'SELECT count(*)::int AS n FROM pg_prepared_statements',
    );
    await database.query(prepared);
    const [row] = await database.query<{ n: number }>(prepared);
    if (pooling === 'session') expect(row?.n).toBeGreaterThan(0);
    else expect(row?.n).toBe(0);
  });
});

it('PostgreSQL ends sessions of hosts that vanished within about a minute', async () => {
  const source = makeDataSource(settings, opened.url, []);
  await source.initialize();
  try {
    const rows = await source.query(`SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp\\_%'
      ORDER BY name`);
    expect(rows).toEqual([
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '30' },
      { name: 'tcp_keepalives_interval', setting: '10' },
      { name: 'tcp_user_timeout', setting: '60000' },
    ]);
  } finally {
    await source.destroy();
  }
});

it('a database with another encoding than UTF8 is rejected', async () => {
  const name = `commonplace_ascii_${process.pid}`;
  const client = new Client({ connectionString: opened.url });
  await client.connect();
  try {
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    const DATABASE_URL = databaseAt(opened.url, name);
    await expect(openDatabase(testSettings({ DATABASE_URL }))).rejects.toThrow(
      /^The encoding of the database must be UTF8, but it is SQL_ASCII\.$/,
    );
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
  }
});
