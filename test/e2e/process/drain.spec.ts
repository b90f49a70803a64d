import { type QueryRunner } from 'typeorm';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { Connection } from './connection';
import { until, Workshop, type Server } from './programs';

let workshop: Workshop;
let opened: TestDatabase;
let book: number;
let locks: QueryRunner[];

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  book = await new Factories(opened.database).aBook();
});

afterAll(async () => {
  await workshop.close();
  await opened.close();
});

beforeEach(() => {
  locks = [];
});

afterEach(async () => {
  await workshop.clear();
  for (const runner of locks) await unlock(runner);
});

/** Lets every request for a book wait. */
async function lock(): Promise<QueryRunner> {
  const runner = opened.source.createQueryRunner();
  locks.push(runner);
  await runner.startTransaction();
  await runner.query('LOCK TABLE books');
  return runner;
}

async function unlock(runner: QueryRunner): Promise<void> {
  if (runner.isTransactionActive) await runner.rollbackTransaction();
  await runner.release();
}

async function someoneWaits(): Promise<boolean> {
  const [row] = await opened.source.query<{ waits: boolean }[]>(
    `SELECT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND NOT l.granted) AS waits`,
  );
  return row?.waits ?? false;
}

/** A server, and a connection with a request that waits for as long as the lock is held. */
async function busy(
  more: Record<string, string> = {},
): Promise<{ server: Server; running: Connection; held: QueryRunner }> {
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    DATABASE_LOCK_TIMEOUT_MS: '0',
    DATABASE_STATEMENT_TIMEOUT_MS: '0',
    DRAIN_SECONDS: '60',
    ...more,
  });
  const running = await Connection.open(server.port);
  const locker = await lock();
  running.ask(`/v2/book/${book}`);
  await until(someoneWaits);
  return { server, running, held: locker };
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s finishes running requests and starts no others',
  async (signal) => {
    const { server, running, held: locker } = await busy();
    const idle = await Connection.open(server.port);
    idle.ask('/healthz');
    await idle.resolved(1);
    const silent = await Connection.open(server.port);

    server.program.child.kill(signal);
    await until(() => Connection.refused(server.port));
    await idle.closed;
    silent.ask('/docs');
    running.ask('/docs');
    await silent.closed;
    expect(running.statuses).toEqual([]);
    await unlock(locker);
    await running.closed;

    expect(idle.statuses).toEqual([200]);
    expect(silent.statuses.filter((status) => status !== 503)).toEqual([]);
    expect(running.statuses[0]).toBe(200);
    expect(running.statuses.slice(1).filter((status) => status !== 503)).toEqual([]);
    expect(await server.program.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  },
);

it('stops at once when no request is running', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url, DRAIN_SECONDS: '600' });
  expect(await server.get(`/v2/book/${book}`)).toMatchObject([200, {}]);
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('does not wait for idle connections', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url, DRAIN_SECONDS: '600' });
  const silent = await Connection.open(server.port);
  expect(await server.get('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  await silent.closed;
});

it('aborts requests that take longer than DRAIN_SECONDS, and exits', async () => {
  const { server, running } = await busy({ DRAIN_SECONDS: '1' });
  const end = server.stop();
  await running.closed;
  expect(running.statuses).toEqual([]);
  const { code, signal, stdout, stderr } = await end;
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  expect(stdout).toContain('DRAIN_SECONDS');
});

it('treats signals within one second as one', async () => {
  const { server, running, held: locker } = await busy();
  const { child } = server.program;
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
  await until(() => Connection.refused(server.port));
  await unlock(locker);
  await running.closed;
  expect(running.statuses).toEqual([200]);
  expect(await server.program.ended).toMatchObject({ code: 0, signal: null });
});

it('aborts running requests on a second signal', async () => {
  const { server, running } = await busy();
  let cut = false;
  void running.closed.then(() => {
    cut = true;
  });
  await until(() => {
    server.program.child.kill('SIGINT');
    return Promise.resolve(cut);
  });
  expect(running.statuses).toEqual([]);
  expect(await server.program.ended).toMatchObject({ code: 1, signal: null });
});
