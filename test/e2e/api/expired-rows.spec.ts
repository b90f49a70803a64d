import { TaskScheduler } from '../../../src/database/task-scheduler';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { randomHex } from '../../random';

let harness: Harness;
let scheduler: TaskScheduler;

beforeAll(async () => {
  harness = await startHarness();
  scheduler = harness.app.get(TaskScheduler, { strict: false });
});
afterAll(() => harness.close());

const insert = (sql: string, values: unknown[]): Promise<unknown> =>
  harness.source.query(sql, values);

const count = async (table: string): Promise<number> => {
  const [row] = await harness.source.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return row?.n ?? 0;
};

it('a server starts the task scheduler with all tasks', async () => {
  expect(scheduler.started).toBe(true);
  expect((await scheduler.runDue()).sort()).toEqual([
    'content-changes',
    'end-blocks',
    'expired-captchas',
    'expired-grants',
    'expired-idempotency-keys',
    'merge-tag-counts',
    'old-application-failures',
    'old-application-requests',
    'old-application-usage',
    'old-deprecated-requests',
    'old-request-statistics',
    'prune-stored-searches',
    'unused-pictures',
  ]);
  expect((await scheduler.lastSuccesses()).length).toBe(13);
});

it('each task deletes expired rows in batches, and no others', async () => {
  const { id: user } = await new Factories(harness.database).aUser();
  await harness.token({ userId: user });
  const [{ id: application }] = (await harness.source.query<{ id: number }[]>(
    'SELECT max(id) AS id FROM applications',
  )) as [{ id: number }];
  const [{ n: tokens }] = await harness.source.query(
    'SELECT count(*)::int AS n FROM access_tokens',
  );
  // More than two batches of expired keys, and some that have not.
  await insert(
    `INSERT INTO idempotency_keys (application_id, user_id, key, digest, started_at)
     SELECT $1, $2, n::text, '\\x00', now() - CASE WHEN n > 3 THEN interval '26 hours'
       ELSE interval '24 hours' END FROM generate_series(1, 10010) n`,
    [application, user],
  );
  await insert(
    `INSERT INTO grants (application_id, user_id, scopes, created_at)
     SELECT $1, $2, '{}', now() - interval '2 days' FROM generate_series(1, 10010)`,
    [application, user],
  );
  await insert(
    `INSERT INTO access_tokens (hash, application_id, user_id, grant_id, scopes, expires_at)
     SELECT sha256(n::text::bytea), $1, $2, (SELECT min(id) + n FROM grants), '{}',
       now() - CASE WHEN n > 3 THEN interval '31 days' ELSE interval '29 days' END
     FROM generate_series(1, 6000) n`,
    [application, user],
  );
  await insert(
    `INSERT INTO sessions (hash, user_id, expires_at)
     VALUES ($1, $3, now() - interval '1 minute'), ($2, $3, now() + interval '1 minute')`,
    [Buffer.from(randomHex(64), 'hex'), Buffer.from(randomHex(64), 'hex'), user],
  );
  await insert(
    `INSERT INTO request_statistics
     SELECT now() - make_interval(days => n), 'GET /v2/book/:id', 200, '', 1, 1, 1
     FROM generate_series(28, 33) n`,
    [],
  );
  await insert(
    `INSERT INTO application_requests
     SELECT $1, current_date - n, 'GET /v2/book/:id', 200, '', 1 FROM generate_series(28, 33) n`,
    [application],
  );
  await insert(
    `INSERT INTO application_failures
       (application_id, failed_at, request_id, operation, status, code, detail)
     SELECT $1, now() - make_interval(days => n), 'id', '*', 404, 1001, ''
     FROM generate_series(28, 33) n`,
    [application],
  );
  await insert(`UPDATE scheduled_tasks SET next_run_at = now()`, []);
  await scheduler.runDue();
  expect(await count('idempotency_keys')).toBe(3);
  expect(await count('access_tokens')).toBe(tokens + 3);
  expect(await count('grants')).toBe(3);
  expect(await count('sessions')).toBe(1);
  // Those of 28 to 30 days ago, and the day that began 31 days ago.
  expect(await count('request_statistics')).toBe(3);
  expect(await count('application_requests')).toBe(4);
  expect(await count('application_failures')).toBe(3);
});
