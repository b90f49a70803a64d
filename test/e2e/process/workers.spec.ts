import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { freePort } from '../../../src/server/listen';
import { childProcessesOf } from './child-processes';
import { until, Workshop, type Server } from './programs';

jest.setTimeout(180_000);

/** Connections that wait for workers, and milliseconds between two looks at them. */
const CONNECTIONS = 2000;
const LOOK_MS = 500;

let workshop: Workshop;
let opened: TestDatabase;
let book: number;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
  book = await new Factories(opened.database).aBook();
});

afterAll(async () => {
  await workshop.close();
  await opened.close();
});

afterEach(() => workshop.clear());

/** Status of a request on a connection of its own, or of an agent's. */
const statusOf = (server: Server, path: string, agent?: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${server.origin}${path}`, { agent: agent ?? false }, (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode ?? 0);
      });
    })
      .on('error', reject)
      .end();
  });

const workersOf = ({ program }: Server): Promise<number[]> =>
  childProcessesOf(program.child.pid ?? 0);

/** Values of a metric, by the line's beginning. */
async function metric(port: number, start: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith(start));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

it('shares limits and metrics between workers, replaces a killed one, and restarts all without a failed request', async () => {
  const metrics = await freePort();
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    WORKERS: '2',
    METRICS_PORT: String(metrics),
    LIMIT_ANONYMOUS: '150',
    DRAIN_SECONDS: '20',
  });
  expect((await workersOf(server)).length).toBe(2);
  const path = `/v2/book/${book}`;
  const statuses = await Promise.all(Array.from({ length: 400 }, () => statusOf(server, path)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(150);
  expect(statuses.filter((status) => status === 429)).toHaveLength(250);
  const requests = 'commonplace_requests_total{method="GET",route="/v2/book/:id"';
  expect(await metric(metrics, requests)).toBe(400);
  expect(await metric(metrics, 'commonplace_workers ')).toBe(2);
  expect(await metric(metrics, 'commonplace_counters ')).toBe(1);

  const [killed = 0] = await workersOf(server);
  process.kill(killed, 'SIGKILL');
  await until(async () => {
    const pids = await workersOf(server);
    return !pids.includes(killed) && (await metric(metrics, 'commonplace_workers ')) === 2;
  });
  expect(await metric(metrics, 'commonplace_worker_crashes_total ')).toBe(1);
  // Its counters stay, as it was asked for them before.
  expect(await metric(metrics, requests)).toBe(400);

  const before = await workersOf(server);
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 4 });
  const failures: unknown[] = [];
  let running = true;
  const load = async (agent?: Agent): Promise<void> => {
    while (running) {
      const status = await statusOf(server, '/v2/rate_limit', agent).catch(
        (error: Error) => error.message,
      );
      if (status !== 200) failures.push(status);
    }
  };
  const loads = [load(), load(), load(keepAlive), load(keepAlive), load(keepAlive)];
  server.program.child.kill('SIGHUP');
  await until(async () => (await workersOf(server)).some((pid) => !before.includes(pid)));
  // A second one during the restart replaces also the workers that the first one has started.
  const during = await workersOf(server);
  server.program.child.kill('SIGHUP');
  await until(async () => {
    const now = await workersOf(server);
    return now.length === 2 && now.every((pid) => !during.includes(pid));
  });
  running = false;
  await Promise.all(loads);
  keepAlive.destroy();
  expect(failures).toEqual([]);
  // The counters are in the parent process, which has not been restarted.
  expect(await statusOf(server, path)).toBe(429);

  const { code, stdout, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const logged = lines.map((line) => JSON.parse(line) as { worker?: number; msg?: string });
  expect(new Set(logged.map(({ worker }) => worker)).size).toBeGreaterThanOrEqual(4);
  expect(logged.some(({ msg }) => msg?.includes('ended with signal SIGKILL'))).toBe(true);
  expect(stdout.match(/Commonplace serves/g)).toHaveLength(1);
});

it('restarts all workers behind a proxy while many connections are opened', async () => {
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    WORKERS: '3',
    TRUSTED_PROXIES: '1',
    LIMIT_ANONYMOUS: '0',
    LIMIT_ADDRESS: '0',
  });
  const before = await workersOf(server);
  const failures: unknown[] = [];
  let [running, served] = [true, 0];
  const load = async (): Promise<void> => {
    while (running) {
      const status = await statusOf(server, `/v2/book/${book}`).catch((error: unknown) => error);
      if (status === 200) served += 1;
      // Workers that start are busy, so that requests may be refused.
      if (status !== 200 && status !== 503) failures.push(status);
    }
  };
  const loads = Array.from({ length: 200 }, load);
  server.program.child.kill('SIGHUP');
  try {
    await until(async () => {
      const now = await workersOf(server);
      return now.length === 3 && now.every((pid) => !before.includes(pid));
    });
  } finally {
    running = false;
    await Promise.all(loads);
  }
  expect(failures).toEqual([]);
  expect(served).toBeGreaterThan(0);
  const { code, stdout, stderr } = await server.stop();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('EINVAL');
});

it('no connection waits for a worker after all workers were stopped at once', async () => {
  const server = await workshop.serve({
    ...{ DATABASE_URL: opened.url, WORKERS: '2', LAME_DUCK_SECONDS: '0' },
    ...{ LIMIT_ANONYMOUS: '0', LIMIT_ADDRESS: '0' },
  });
  let running = true;
  const load = async (): Promise<void> => {
    // Connections are refused until a worker listens again.
    while (running) await statusOf(server, '/healthz').catch(() => pause(1));
  };
  const loads = Array.from({ length: 50 }, load);
  for (let round = 0; round < 4; round += 1) {
    const before = await workersOf(server);
    for (const pid of before) process.kill(pid, 'SIGTERM');
    await until(async () => {
      const now = await workersOf(server);
      return now.length === 2 && now.every((pid) => !before.includes(pid));
    });
    await until(async () => (await statusOf(server, '/readyz').catch(() => 0)) === 200);
  }
  running = false;
  await Promise.all(loads);
});

it('counts the requests of a worker that ends during a scrape once', async () => {
  const metrics = await freePort();
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    WORKERS: '2',
    METRICS_PORT: String(metrics),
  });
  await Promise.all(Array.from({ length: 40 }, () => statusOf(server, '/v2/rate_limit')));
  const requests = 'commonplace_requests_total{method="GET",route="/v2/rate_limit"';
  expect(await metric(metrics, requests)).toBe(40);
  const [, frozen = 0] = await workersOf(server);
  process.kill(frozen, 'SIGSTOP');
  const during = metric(metrics, requests);
  // The parent process has most likely read the first request when it responds to this one.
  expect((await fetch(`http://127.0.0.1:${metrics}/`)).status).toBe(404);
  process.kill(frozen, 'SIGKILL');
  expect(await during).toBe(40);
  expect(await metric(metrics, requests)).toBe(40);
});

it('a second signal ends the server although a worker does not respond', async () => {
  const settings = { DATABASE_URL: opened.url, WORKERS: '2', DRAIN_SECONDS: '600' };
  const server = await workshop.serve(settings);
  const [frozen = 0] = await workersOf(server);
  process.kill(frozen, 'SIGSTOP');
  server.program.child.kill('SIGTERM');
  const signalled = performance.now();
  // Signals closer together count as one.
  await until(() => Promise.resolve(performance.now() - signalled > 1500));
  expect((await server.stop()).code).toBe(1);
  // Signal 0 fails for a process that is gone.
  expect(() => process.kill(frozen, 0)).toThrow();
});

it('behind a proxy, the parent process accepts connections only slowly while many wait for a worker', async () => {
  const settings = { DATABASE_URL: opened.url, WORKERS: '2', TRUSTED_PROXIES: '1' };
  const server = await workshop.serve(settings);
  const { pid } = server.program.child;
  const descriptors = async (): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
  const workers = await workersOf(server);
  const atRest = await descriptors();
  const signal = (name: NodeJS.Signals): void => {
    for (const worker of workers) process.kill(worker, name);
  };
  signal('SIGSTOP');
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    connect(server.port, '127.0.0.1').on('error', () => undefined),
  );
  let [before, now] = [0, await descriptors()];
  while (now === atRest || now - before > CONNECTIONS / 10) {
    await pause(LOOK_MS);
    [before, now] = [now, await descriptors()];
  }
  signal('SIGCONT');
  expect(now - atRest).toBeLessThan(CONNECTIONS * 0.75);
  for (const socket of sockets) socket.destroy();
  expect(await statusOf(server, `/v2/book/${book}`)).toBe(200);
  // The workers take the others, too.
  await until(async () => (await descriptors()) < atRest + 10);
});

it.each(['0', '1'])(
  'connections that workers have not taken when they end are closed, behind %s proxies',
  async (proxies) => {
    const settings = { DATABASE_URL: opened.url, WORKERS: '2', TRUSTED_PROXIES: proxies };
    const server = await workshop.serve(settings);
    const { pid } = server.program.child;
    const descriptors = async (): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
    const workers = await workersOf(server);
    const atRest = await descriptors();
    for (const worker of workers) process.kill(worker, 'SIGSTOP');
    const ends = Array.from({ length: 2 * workers.length }, async () => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      socket.end('GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n').resume();
      await new Promise((resolve) => socket.once('close', resolve));
    });
    await until(async () => (await descriptors()) >= atRest + ends.length);
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    await Promise.all(ends);
    // Their successors listen again.
    await until(async () => (await statusOf(server, '/healthz').catch(() => 0)) === 200);
    await until(async () => (await descriptors()) <= atRest);
  },
);

it('reports in one sentence why workers cannot start', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url });
  const ended = await workshop.serveInVain({
    DATABASE_URL: opened.url,
    WORKERS: '2',
    PORT: String(server.port),
  });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `commonplace: Port ${server.port} is in use: set PORT to another one.\n`,
  );
});
