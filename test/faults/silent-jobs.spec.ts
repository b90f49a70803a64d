import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { type QueryRunner } from 'typeorm';
import { Database } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { SilentConnections } from '../../src/database/silent-connections';
import { type Job } from '../../src/import-export/jobs/job';
import { LANES } from '../../src/import-export/engine/lanes';
import { JobConnection } from '../../src/import-export/jobs/job-connection';
import { type JobTimes } from '../../src/import-export/jobs/job-times';
import { JobsRepository } from '../../src/import-export/jobs/jobs.repository';
import { runJobs } from '../../src/import-export/jobs/run-jobs';
import { Staging } from '../../src/import-export/open-library/staging';
import { untilBlocked } from '../until-blocked';
import { people, ServedJobs } from '../db/import-export/served-jobs';
import { openTestDatabase, type TestDatabase } from '../harness';
import { until } from './collectors';
import { Tunnel } from './tunnel';

/** Statements of jobs have no time limit, as in the process that runs jobs. */
const SETTINGS = { DATABASE_STATEMENT_TIMEOUT_MS: '0', DATABASE_POOL: '5' };
const TIMES: JobTimes = {
  ...{ heartbeatMs: 20, pingMs: 50, responseMs: 1000, stopMs: 100, idleSessionMs: 2000 },
  retryDelaysMs: [10, 10],
};
const PEOPLE = 3000;
const PATIENCE_MS = 60_000;

/** The database without the tunnel. */
let direct: TestDatabase;
let tunnel: Tunnel;
let served: ServedJobs;
let silent: SilentConnections;
/** A transaction that jobs wait for. */
let blocker: QueryRunner;

beforeEach(async () => {
  Logger.overrideLogger(false);
  direct = await openTestDatabase();
  tunnel = await Tunnel.before(direct.url);
  served = await ServedJobs.open(SETTINGS, async (settings) => {
    const source = makeDataSource(settings, tunnel.url, []);
    await source.initialize();
    return { ...direct, source, database: new Database(source), close: () => source.destroy() };
  });
  served.full.jobs.times = TIMES;
  silent = new SilentConnections(served.full.opened.database);
  Object.assign(silent, { intervalMs: 50, timeoutMs: 500 });
  blocker = direct.source.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('LOCK TABLE users IN EXCLUSIVE MODE');
});
afterEach(async () => {
  silent.onModuleDestroy();
  await blocker.release();
  await served.full.close();
  await tunnel.end();
  await direct.close();
});

const { signal } = new AbortController();
const run = (): Promise<void> => runJobs(served.full.jobs, signal, () => undefined);
const stored = async ({ id }: Job): Promise<Job | undefined> =>
  new JobsRepository(direct.database).findJobById(id);
const users = async (): Promise<number> =>
  (await direct.source.query<{ n: number }[]>('SELECT count(*)::int AS n FROM users'))[0]?.n ?? 0;

/** Starts an import, of which each lane waits for the blocker. */
async function startImport(): Promise<{ readonly job: Job; readonly running: Promise<void> }> {
  await writeFile(join(served.folder, 'people.ndjson'), people(PEOPLE));
  const wish = { type: 'import', kind: 'user', path: 'people.ndjson' } as const;
  const job = await served.full.jobs.start(wish, 'admin');
  const running = run();
  // None of them opens its connection.
  await untilBlocked(direct.source, LANES);
  return { job, running };
}

const startExport = (): Promise<Job> =>
  served.full.jobs.start({ type: 'export', kind: 'all', path: 'out' }, 'admin');

/** Lets the connections of the pool fall silent, but not that with the lock of jobs. */
async function silencePool(): Promise<void> {
  const rows = await direct.source.query<{ port: number }[]>(
    `SELECT client_port AS port FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'commonplace'`,
  );
  tunnel.silence(rows.map(({ port }) => port));
}

/** Sessions that wait for the blocker. */
const waitingSessions = (): Promise<unknown[]> =>
  direct.source.query(`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    AND cardinality(pg_blocking_pids(pid)) > 0 ORDER BY pid`);

/** The import is complete, without a further attempt. */
async function expectDone(job: Job): Promise<void> {
  expect(await stored(job)).toMatchObject({ state: 'done', attempts: 1, error_count: 0 });
  expect(await users()).toBe(PEOPLE);
}

it(
  'a job is resumed after all of its connections fell silent',
  async () => {
    const { job, running } = await startImport();
    tunnel.silence();
    await blocker.rollbackTransaction();
    await running;
    await expectDone(job);
  },
  PATIENCE_MS,
);

it(
  'a cancelled job ends although its statements get no response, and the next one runs',
  async () => {
    const { job, running } = await startImport();
    const next = await startExport();
    await silencePool();
    await blocker.rollbackTransaction();
    await new JobsRepository(direct.database).cancel(job.id);
    await running;
    expect(await stored(job)).toMatchObject({ state: 'cancelled', error: '' });
    expect(await stored(next)).toMatchObject({ state: 'done' });
  },
  PATIENCE_MS,
);

it(
  'a cancelled job ends while its statements wait for a lock',
  async () => {
    const { job, running } = await startImport();
    await new JobsRepository(direct.database).cancel(job.id);
    await running;
    expect(await stored(job)).toMatchObject({ state: 'cancelled', error: '' });
    expect(await users()).toBe(0);
  },
  PATIENCE_MS,
);

it(
  'an import continues on other connections when its own get no response',
  async () => {
    const { job, running } = await startImport();
    silent.onApplicationBootstrap();
    await silencePool();
    await blocker.rollbackTransaction();
    await running;
    await expectDone(job);
  },
  PATIENCE_MS,
);

it(
  'statements that take longer than silence is tolerated are not disturbed',
  async () => {
    const { job, running } = await startImport();
    const waiting = await waitingSessions();
    let opened = 0;
    Object.assign(silent, { intervalMs: 20, timeoutMs: 0 });
    silent.onApplicationBootstrap();
    // Each check asks on a connection of its own.
    await until('there were checks', async () => {
      const rows = await direct.source.query<unknown[]>(
        `SELECT FROM pg_stat_activity WHERE application_name = 'commonplace-watch'
           AND datname = current_database()`,
      );
      opened += rows.length;
      return opened >= 5;
    });
    expect(await waitingSessions()).toEqual(waiting);
    silent.onModuleDestroy();
    await blocker.rollbackTransaction();
    await running;
    expect(await stored(job)).toMatchObject({ state: 'done', attempts: 1, error_count: 0 });
  },
  PATIENCE_MS,
);

it(
  'a full export is retried when its connection gets no response, and the next job runs',
  async () => {
    await blocker.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const job = await startExport();
    const running = run();
    await untilBlocked(direct.source);
    const wish = { type: 'export', kind: 'user', path: 'users.ndjson' } as const;
    const next = await served.full.jobs.start(wish, 'admin');
    silent.onApplicationBootstrap();
    await silencePool();
    await blocker.rollbackTransaction();
    await running;
    expect(await stored(job)).toMatchObject({ state: 'done', attempts: 2 });
    expect(await stored(next)).toMatchObject({ state: 'done' });
  },
  PATIENCE_MS,
);

it(
  'PostgreSQL releases the lock of a process that it no longer hears',
  async () => {
    await startExport();
    const start = await served.full.jobs.acquireStartLock();
    expect(start).toBeDefined();
    tunnel.close();
    let other: JobConnection | undefined;
    await until('another process gets the lock', async () => {
      other = await JobConnection.acquireStartLock(direct.database);
      return other !== undefined;
    });
    await other?.release({ notify: false });
    await start?.release({ notify: false });
    tunnel.mend();
  },
  PATIENCE_MS,
);

it('an import of Open Library fails when its temporary tables get no response', async () => {
  const staging = await Staging.open(served.full.opened.database);
  tunnel.silence();
  staging.responseMs = 100;
  await expect(staging.addAuthors([{ key: 'a', name: 'A', bio: '' }])).rejects.toThrow('timeout');
  await staging.close();
});
