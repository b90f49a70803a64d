import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeDataSource } from '../../../src/database/data-source';
import { Database, statement } from '../../../src/database/database';
import { JobsService } from '../../../src/import-export/jobs/jobs.service';
import { writer, type Writer } from '../../e2e/books/writes';
import { until } from '../../e2e/process/programs';
import { Factories } from '../../factories/factories';
import { atScale } from '../../figures';
import { startHarness, type Harness } from '../../harness';
import { testSettings } from '../../settings';
import { PgBouncer, POOL_MODES } from './pgbouncer';

/** Connections of the pooler to PostgreSQL: fewer than the server's own to the pooler. */
const SIZE = 4;
/** Settings that a role has by default, unlike those of the service: as on servers abroad. */
const ABROAD = `DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET TimeZone = ''America/New_York''', current_database());
END $$`;

const SETTINGS = statement(
  'pooling.settings',
  `SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS run,
     current_setting('lock_timeout') AS lock,
     current_setting('idle_in_transaction_session_timeout') AS idle, $1::int AS given`,
);
const WANTED = { zone: 'Asia/Shanghai', run: '9s', lock: '4s', idle: '7s', given: 7 };

describe.each(POOL_MODES)('behind PgBouncer in %s mode', (mode) => {
  // A session is given to one connection as long as it lasts.
  const size = mode === 'session' ? 20 : SIZE;
  const closing: (() => Promise<void>)[] = [];
  let folder: string;
  let pooler: PgBouncer;
  let harness: Harness;
  let make: Factories;
  let user: Writer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-pooling-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    pooler = await PgBouncer.open(String(process.env.TEST_SERVER_URL), { mode, size });
    closing.unshift(() => pooler.close());
    harness = await startHarness({
      pooler,
      settings: {
        TOKEN_CACHE_SECONDS: '300',
        DATABASE_STATEMENT_TIMEOUT_MS: '9000',
        DATABASE_LOCK_TIMEOUT_MS: '4000',
        DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '7000',
        TRANSFER_DIR: folder,
      },
      beforeServing: (source) => source.query(ABROAD),
    });
    closing.unshift(() => harness.close());
    make = new Factories(harness.database);
    user = await writer(harness, (await make.aUser()).id);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it('each statement has the settings of the service', async () => {
    const { database } = harness;
    const many = Array.from({ length: 40 }, () => database.query(SETTINGS, [7]));
    for (const rows of await Promise.all(many)) expect(rows).toEqual([WANTED]);
    const inside = await database.transaction(async (runner) => [
      ...(await runner.query(SETTINGS, [7])),
      ...(await runner.query(SETTINGS, [7])),
    ]);
    expect(inside).toEqual([WANTED, WANTED]);
    expect(await database.snapshot((runner) => runner.query(SETTINGS, [7]))).toEqual([WANTED]);
    expect(await database.source.query('SHOW TimeZone')).toEqual([{ TimeZone: 'Asia/Shanghai' }]);
  });

  it('no setting leaks to other clients of the pooler', async () => {
    await Promise.all(Array.from({ length: 20 }, () => harness.database.query(SETTINGS, [7])));
    const state = `SELECT current_setting('lock_timeout') AS lock,
      (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`;
    for (let at = 0; at < 20; at += 1) {
      expect(await pooler.query(harness.url, state)).toEqual([{ lock: '0', prepared: 0 }]);
    }
  });

  it('statements and locks time out, and the service continues', async () => {
    const limits = { DATABASE_STATEMENT_TIMEOUT_MS: '600', DATABASE_LOCK_TIMEOUT_MS: '300' };
    const source = makeDataSource(testSettings(limits), pooler.urlOf(harness.url), [], mode);
    await source.initialize();
    const hasty = new Database(source);
    const sleep = statement('pooling.sleep', 'SELECT pg_sleep($1::float8)');
    const lock = statement('pooling.lock', 'LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
    const read = statement('pooling.read', 'SELECT FROM books');
    try {
      await expect(hasty.query(sleep, [30])).rejects.toMatchObject({ cause: { code: '57014' } });
      await harness.database.transaction(async (outer) => {
        await outer.query(lock);
        await expect(hasty.query(read)).rejects.toMatchObject({ cause: { code: '55P03' } });
      });
      expect(await hasty.query(read)).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('times are read and written in TIME_ZONE', async () => {
    const wire = { publish_time: '2014-03-09 02:30:00', update_time: '2014-03-09 02:31:00' };
    const { id } = await make.aNote(wire);
    expect((await user.get(`/v2/note/${id}`)).body).toMatchObject(wire);
    const updated = '2013-12-25 22:09:03';
    const { user_id } = await make.aCollection({ updated });
    const path = `/v2/book/user/${user_id}/collections`;
    const listed = async (query: string) => {
      const { body } = await user.get(`${path}?${query}`);
      return body.collections.map((one: { updated: string }) => one.updated) as string[];
    };
    expect(await listed('from=2013-12-25T22:09:03%2B08:00&to=2013-12-25T14:09:03Z')).toEqual([
      updated,
    ]);
    expect(await listed('from=2013-12-25T22:09:04%2B08:00')).toEqual([]);
    // Times that the service sets itself.
    const note = { title: 'Now', content: 'Now.' };
    const { body } = await user.post('/v2/notes', note);
    const now = statement(
      'pooling.now',
      `SELECT abs(extract(epoch FROM now() - ($1::timestamp AT TIME ZONE 'Asia/Shanghai')))::float8 AS off`,
    );
    const [row] = await harness.database.query<{ off: number }>(now, [body.publish_time]);
    expect(row?.off).toBeLessThan(600);
  });

  it('concurrent transactions are isolated', async () => {
    const { id } = await make.aNote();
    const count = atScale(60, 12);
    const writers: Writer[] = [];
    for (let at = 0; at < count; at += 1) {
      writers.push(await writer(harness, (await make.aUser()).id));
    }
    const key = randomUUID();
    const responses = await Promise.all(
      writers.flatMap((by) => [
        by.post(`/v2/note/${id}/like`),
        by.post(`/v2/note/${id}/comments`, { content: 'Me too.' }, { 'Idempotency-Key': key }),
        by.post(`/v2/note/${id}/comments`, { content: 'Me too.' }, { 'Idempotency-Key': key }),
      ]),
    );
    // A retry that comes while its request is at work is told so.
    const wrong = responses.filter(({ status }) => ![200, 201, 409].includes(status));
    expect(wrong.map(({ status, text }) => [status, text])).toEqual([]);
    const { body } = await user.get(`/v2/note/${id}`);
    expect([body.liked_count, body.comments_count]).toEqual([count, count]);
    const rows = await harness.source.query(
      `SELECT (SELECT count(*)::int FROM note_likes WHERE note_id = $1) AS likes,
         (SELECT count(*)::int FROM note_replies WHERE note_id = $1) AS replies`,
      [id],
    );
    expect(rows).toEqual([{ likes: count, replies: count }]);
  });

  it('notifications of other processes arrive', async () => {
    const { id } = await make.aUser();
    const mine = await writer(harness, id);
    const path = `/v2/note/${(await make.aNote()).id}`;
    expect((await mine.get(path)).status).toBe(200);
    await harness.source.query('UPDATE users SET blocked_at = now() WHERE id = $1', [id]);
    await until(async () => (await mine.get(path)).status === 401);
  });

  it('an export is consistent while others write', async () => {
    await make.books(atScale(3000, 300));
    const jobs = harness.app.get(JobsService, { strict: false });
    const place = `books-${mode}.ndjson`;
    const { id } = await jobs.start({ type: 'export', kind: 'book', path: place }, 'test');
    await until(async () => (await jobs.get(id))?.state === 'done');
    const lines = (await readFile(join(folder, place), 'utf8')).trim().split('\n');
    const [row] = await harness.source.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM books WHERE NOT placeholder',
    );
    expect(lines).toHaveLength(row?.n ?? 0);
  });

  it('reads are cancelled when their clients leave, and the pooler survives it', async () => {
    const isbn13 = '9787111128069';
    await make.aBook({ isbn13 });
    const path = `/v2/book/isbn/${isbn13}`;
    const locker = new Client({ connectionString: harness.url });
    await locker.connect();
    const waiting = async (): Promise<number> => {
      const { rows } = await locker.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.n ?? 0;
    };
    for (let round = 0; round < 20; round += 1) {
      await locker.query('BEGIN; LOCK TABLE books IN ACCESS EXCLUSIVE MODE');
      const leaving = Array.from({ length: SIZE }, () => {
        const one = request(harness.origin + path, { agent: false });
        return one.on('error', () => undefined).end();
      });
      await until(async () => (await waiting()) > 1);
      for (const one of leaving) one.destroy();
      await until(async () => (await waiting()) === 0);
      await locker.query('ROLLBACK');
    }
    await locker.end();
    expect(pooler.isRunning).toBe(true);
    expect((await harness.call(path)).status).toBe(200);
  });

  it('requests return 503 while the pooler is unavailable, and 200 afterwards', async () => {
    const path = `/v2/book/${await make.aBook()}`;
    expect((await harness.call(path)).status).toBe(200);
    await pooler.kill();
    expect((await harness.call(path)).status).toBe(503);
    await pooler.start();
    await until(async () => (await harness.call(path)).status === 200);
    expect(await harness.database.query(SETTINGS, [7])).toEqual([WANTED]);
  });
});
