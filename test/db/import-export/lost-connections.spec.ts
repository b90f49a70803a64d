import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type QueryRunner } from 'typeorm';
import { MAX_ATTEMPTS, MAX_UNCOUNTED_LOSSES, type Job } from '../../../src/import-export/jobs/job';
import { JOB_TIMES } from '../../../src/import-export/jobs/job-times';
import { untilBlocked } from '../../until-blocked';
import { people, ServedJobs } from './served-jobs';

let served: ServedJobs;
/** A transaction that the work of jobs waits for. */
let blocker: QueryRunner;
beforeEach(async () => {
  served = await ServedJobs.open();
  served.full.jobs.times = { ...JOB_TIMES, heartbeatMs: 10, stopMs: 10, retryDelaysMs: [10, 10] };
  await writeFile(join(served.folder, 'people.ndjson'), people(1));
  blocker = served.full.opened.source.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('LOCK TABLE users IN EXCLUSIVE MODE');
});
afterEach(async () => {
  await blocker.release();
  await served.full.close();
});

const run = (): Promise<boolean> => served.full.jobs.runAndResumeJobs(new AbortController().signal);
const stored = async ({ id }: Job): Promise<Job> => (await served.full.jobs.get(id)) as Job;
const start = (): Promise<Job> =>
  served.full.jobs.start({ type: 'import', kind: 'user', path: 'people.ndjson' }, 'admin');

/** PostgreSQL ends the session of a running job that has the job lock. */
async function loseConnection(): Promise<void> {
  const running = run();
  void running.catch(() => undefined);
  await untilBlocked(served.full.opened.source);
  await served.full.query(`SELECT pg_terminate_backend(l.pid)
    FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE locktype = 'advisory' AND objid = ${0x6a6f6273} AND datname = current_database()`);
  await expect(running).rejects.toThrow();
  expect(served.full.jobs.hasLostConnection).toBe(true);
  // PostgreSQL does not notice that the clients of these sessions are gone.
  const waiting = `pg_stat_activity WHERE datname = current_database()
    AND cardinality(pg_blocking_pids(pid)) > 0`;
  await served.full.query(`SELECT pg_terminate_backend(pid) FROM ${waiting}`);
  while ((await served.full.query(`SELECT FROM ${waiting}`)).length > 0);
}

it('lost connections use up no attempts, up to a limit, and then the job fails', async () => {
  const job = await start();
  for (let losses = 1; losses <= MAX_UNCOUNTED_LOSSES; losses += 1) {
    await loseConnection();
    expect(await stored(job)).toMatchObject({ state: 'running', attempts: 1 });
  }
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    await loseConnection();
    expect(await stored(job)).toMatchObject({ state: 'running', attempts });
  }
  expect(await run()).toBe(true);
  expect(await stored(job)).toMatchObject({
    ...{ state: 'failed', attempts: MAX_ATTEMPTS, lost_connections: 13 },
    error:
      'the job failed after 3 attempts, because its process or the database failed each time, the ' +
      'last time with a lost connection to the database; it has lost its connection 13 times',
  });
});

it('an import that stores further records counts from zero, and completes in its last attempt', async () => {
  const job = await start();
  for (let losses = 1; losses < MAX_UNCOUNTED_LOSSES + MAX_ATTEMPTS; losses += 1)
    await loseConnection();
  await blocker.rollbackTransaction();
  expect(await run()).toBe(true);
  expect(await stored(job)).toMatchObject({
    ...{ state: 'done', attempts: MAX_ATTEMPTS, error: '' },
    lost_connections: 0,
  });
});

/** Makes PostgreSQL reject changes of jobs, as when the server has become read-only. */
async function rejectWrites(): Promise<void> {
  const { source } = served.full.opened;
  await source.query(`CREATE FUNCTION reject_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE SQLSTATE '25006'; END $$`);
  await source.query(`CREATE TRIGGER reject_write BEFORE UPDATE ON transfer_jobs
    FOR EACH STATEMENT EXECUTE FUNCTION reject_write()`);
}

const acceptWrites = (): Promise<unknown> =>
  served.full.opened.source.query('DROP TRIGGER reject_write ON transfer_jobs');

it('a job whose failure cannot be stored waits for the database', async () => {
  const job = await start();
  const running = run();
  void running.catch(() => undefined);
  await untilBlocked(served.full.opened.source);
  await rejectWrites();
  await expect(running).rejects.toMatchObject({ code: '25006' });
  expect(served.full.jobs.hasLostConnection).toBe(true);
  await acceptWrites();
  await blocker.rollbackTransaction();
  expect(await run()).toBe(true);
  expect(await stored(job)).toMatchObject({ state: 'done', attempts: 1 });
});

it('a job whose last attempt cannot begin waits for the database', async () => {
  const job = await start();
  await served.full.query(`UPDATE transfer_jobs SET attempts = ${MAX_ATTEMPTS - 1}`);
  await rejectWrites();
  await expect(run()).rejects.toMatchObject({ cause: { code: '25006' } });
  await acceptWrites();
  await blocker.rollbackTransaction();
  expect(await run()).toBe(true);
  expect(await stored(job)).toMatchObject({ state: 'done', attempts: MAX_ATTEMPTS });
});
