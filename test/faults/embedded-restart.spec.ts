import { chmod, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Server } from '../e2e/process/programs';
import { atScale, figure } from '../figures';
import { EmbeddedService } from './embedded';
import { eventually, processesWith } from './processes';

/** Seconds in which the service recovers automatically. */
const RECOVERY_SECONDS = 15;

let service: EmbeddedService;

beforeEach(async () => {
  service = await EmbeddedService.open();
});

afterEach(() => service.close());

async function killPostgres(signal: NodeJS.Signals = 'SIGKILL'): Promise<number> {
  const pid = (await service.postmaster()) ?? 0;
  expect(pid).toBeGreaterThan(0);
  process.kill(pid, signal);
  return pid;
}

const isReady = async (server: Server): Promise<boolean> =>
  (await server.get('/readyz'))[0] === 200;

/** Waits until another process of PostgreSQL runs, and the server is ready. */
async function recover(server: Server, before: number): Promise<void> {
  const since = performance.now();
  const another = async (): Promise<boolean> =>
    ![undefined, before].includes(await service.postmaster());
  await eventually('PostgreSQL is started again', another);
  await eventually('the server is ready', () => isReady(server));
  figure('s until the embedded PostgreSQL is back', (performance.now() - since) / 1000, {
    atMost: RECOVERY_SECONDS,
  });
}

it('the embedded PostgreSQL is restarted under write load by a remaining server', async () => {
  const [first, second] = [await service.serve(), await service.serve()];
  const writers = await service.write(atScale(50, 6));
  for (let round = 0; round < atScale(10, 1); round++) {
    await writers.more(20);
    await recover(first, await killPostgres());
    await writers.more(1);
  }
  await first.program.kill();
  await recover(second, await killPostgres());
  await writers.more(1);
  await writers.stop();

  expect(await service.missing(writers.acknowledged)).toEqual([]);
  expect(writers.unexpected([200, 201, 202, 503])).toEqual([]);
  expect(await second.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(second.program.stdout).toMatch(/The embedded PostgreSQL is back/);
  expect(await processesWith(service.dataDir)).toEqual([]);
}, 600_000);

it('the embedded PostgreSQL is restarted under write load after SIGTERM, which waits for sessions', async () => {
  const [first, second] = [await service.serve({ WORKERS: '2' }), await service.serve()];
  const writers = await service.write(atScale(50, 6));
  await writers.more(20);
  const before = await killPostgres('SIGTERM');
  await Promise.all([recover(first, before), recover(second, before)]);
  await writers.more(1);
  const another = await killPostgres('SIGTERM');
  const [ended] = await Promise.all([
    service.workshop.cli(service.env, ['word', 'list']),
    recover(first, another),
    recover(second, another),
  ]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  await writers.more(1);
  await writers.stop();

  expect(await service.missing(writers.acknowledged)).toEqual([]);
  expect(writers.unexpected([200, 201, 202, 503])).toEqual([]);
  for (const server of [first, second]) {
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  }
  // Processes that find the new server at once report nothing.
  const output = first.program.stdout + second.program.stdout;
  expect(output).toMatch(/was told to stop[^]*The embedded PostgreSQL is back/);
  expect(await processesWith(service.dataDir)).toEqual([]);
}, 600_000);

it('the embedded PostgreSQL is restarted when it can write, and the server is not ready until then', async () => {
  const server = await service.serve();
  const writers = await service.write(4);
  await writers.more(5);
  const before = (await service.postmaster()) ?? 0;
  const wal = join(service.dataDir, 'postgres', 'pg_wal');
  const { mode } = await stat(wal);
  await service.withSource(async (source) => {
    await chmod(wal, 0);
    // Writes that need the next file of the log make PostgreSQL stop.
    for (const call of ['pg_switch_wal()', `pg_logical_emit_message(true, 'x', 'x')`]) {
      await source.query(`SELECT ${call}`).catch(() => undefined);
    }
  });
  await eventually(
    'PostgreSQL has given up',
    async () => (await service.postmaster()) === undefined,
  );
  expect((await server.get('/readyz'))[0]).toBe(503);
  expect((await server.get('/healthz'))[0]).toBe(200);
  const failed = (): boolean => /stopped while starting/.test(server.program.stdout);
  await eventually('a start has failed', () => Promise.resolve(failed()));
  await chmod(wal, mode);
  await recover(server, before);
  await writers.more(1);
  await writers.stop();

  expect(await service.missing(writers.acknowledged)).toEqual([]);
  expect(writers.unexpected([200, 201, 202, 503])).toEqual([]);
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
}, 600_000);

it('the embedded PostgreSQL is not replaced by an empty database when its folder is missing', async () => {
  const server = await service.serve();
  const cluster = join(service.dataDir, 'postgres');
  const postgres = await processesWith(cluster);
  await rename(cluster, `${cluster}.elsewhere`);
  for (const { pid } of postgres) process.kill(pid, 'SIGKILL');
  const hasReported = (): boolean =>
    /The database of .+ no longer exists\./.test(server.program.stdout);
  await eventually('the log says so', () => Promise.resolve(hasReported()));
  expect((await server.get('/readyz'))[0]).toBe(503);
  await rename(`${cluster}.elsewhere`, cluster);
  await eventually('the server is ready', () => isReady(server));
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
}, 600_000);
