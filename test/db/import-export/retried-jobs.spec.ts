import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type QueryRunner } from 'typeorm';
import { type Job } from '../../../src/import-export/jobs/job';
import { JOB_TIMES } from '../../../src/import-export/jobs/job-times';
import { untilBlocked } from '../../until-blocked';
import { people, ServedJobs } from './served-jobs';

const PEOPLE = 3000;

let served: ServedJobs;
/** A transaction that the work of jobs waits for. */
let blocker: QueryRunner;
beforeEach(async () => {
  served = await ServedJobs.open();
  served.full.jobs.times = { ...JOB_TIMES, retryDelaysMs: [10, 10] };
  await writeFile(join(served.folder, 'people.ndjson'), people(PEOPLE));
  blocker = served.full.opened.source.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
});
afterEach(async () => {
  await blocker.release();
  await served.full.close();
});

const start = (): Promise<Job> =>
  served.full.jobs.start({ type: 'import', kind: 'user', path: 'people.ndjson' }, 'admin');
const stored = async ({ id }: Job): Promise<Job> => (await served.full.jobs.get(id)) as Job;

/** Ends the connections whose statements wait for the blocker, again and again, until a condition holds. */
async function endConnectionsUntil(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await served.full.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`);
  }
}

it('a server retries a job after its connections were lost', async () => {
  const job = await start();
  const running = served.done(job);
  await endConnectionsUntil(async () => (await stored(job)).attempts === 2);
  await blocker.rollbackTransaction();
  expect(await running).toMatchObject({ state: 'done', attempts: 2, error: '', error_count: 0 });
  expect(await served.users()).toBe(PEOPLE);
});

it('a job fails with the reason when it has lost its connections three times', async () => {
  const job = await start();
  const running = served.done(job);
  await endConnectionsUntil(async () => (await stored(job)).state === 'failed');
  expect(await running).toMatchObject({ state: 'failed', attempts: 3 });
  expect((await stored(job)).error).toMatch(/terminat/);
});

it('a job that waits for its next attempt shows the reason and can be cancelled', async () => {
  served.full.jobs.times = { ...JOB_TIMES, retryDelaysMs: [3_600_000, 3_600_000] };
  const job = await start();
  const leaving = new AbortController();
  const running = served.full.jobs.runAndResumeJobs(leaving.signal);
  await endConnectionsUntil(async () => {
    const { state, attempts } = await stored(job);
    return state === 'waiting' && attempts > 0;
  });
  expect((await stored(job)).error).toMatch(/terminat/);
  expect(await served.full.jobs.cancel(job.id)).toMatchObject({ state: 'cancelled' });
  leaving.abort();
  await running;
  expect(await stored(job)).toMatchObject({ state: 'cancelled', attempts: 1 });
});

it('a job that is cancelled before its next attempt delays no other job', async () => {
  served.full.jobs.times = {
    ...JOB_TIMES,
    ...{ heartbeatMs: 10, retryDelaysMs: [3_600_000, 3_600_000] },
  };
  const job = await start();
  const next = await start();
  const running = served.done(next);
  await endConnectionsUntil(async () => {
    const { state, attempts } = await stored(job);
    return state === 'waiting' && attempts > 0;
  });
  await blocker.rollbackTransaction();
  await served.full.jobs.cancel(job.id);
  expect(await running).toMatchObject({ state: 'done', attempts: 1 });
  expect(await stored(job)).toMatchObject({ state: 'cancelled' });
});

it('an import stores nothing after another process has taken over its job', async () => {
  const job = await start();
  const running = served.done(job);
  const { source } = served.full.opened;
  await untilBlocked(source);
  await source.query('UPDATE transfer_jobs SET run = run + 1');
  await blocker.rollbackTransaction();
  expect(await running).toMatchObject({
    ...{ state: 'failed', error: 'another process has taken over the job' },
  });
  expect(await served.users()).toBe(0);
});
