import { Connection } from '../e2e/process/connection';
import { until, Workshop, type Server } from '../e2e/process/programs';
import { childProcessesOf } from '../e2e/process/child-processes';
import { Factories } from '../factories/factories';
import { atScale } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';

/** Requests that arrive while a server is about to stop; the backlog has room for 511. */
const WAITING = atScale(400, 60);
/** Bytes of a body that no single packet holds. */
const LARGE = 500_000;

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

const serve = (settings: Record<string, string> = {}): Promise<Server> =>
  workshop.serve({ DATABASE_URL: opened.url, ...settings });

const SERVED = { status: 200, code: undefined };
/** The response of a rejection (D4, D5). */
const REFUSED = { status: 503, code: 999 };

/** Status and error code of the only response of a connection. */
function outcomeOf(connection: Connection): unknown {
  const [status] = connection.statuses;
  const body = connection.received.split('\r\n\r\n')[1] ?? '';
  if (status === 503 && !/\r\nRetry-After: \d/.test(connection.received)) return 'no Retry-After';
  return { status, code: (JSON.parse(body) as { code?: number }).code };
}

/** Sends a signal to the processes of a server that are to be busy. */
async function signal(server: Server, name: NodeJS.Signals, workersOnly: boolean): Promise<void> {
  const { child } = server.program;
  for (const worker of await childProcessesOf(child.pid ?? 0)) process.kill(worker, name);
  if (!workersOnly) child.kill(name);
}

it.each([
  ['of one process', {}, false],
  ['in the backlog of a server with workers', { WORKERS: '2' }, false],
  ['that wait for workers', { WORKERS: '2' }, true],
  ['in the backlog behind a proxy', { WORKERS: '2', TRUSTED_PROXIES: '1' }, false],
  ['that wait for workers behind a proxy', { WORKERS: '2', TRUSTED_PROXIES: '1' }, true],
])('SIGTERM resets no connections %s', async (_, settings, workersOnly) => {
  const server = await serve({ DRAIN_SECONDS: '60', ...settings });
  const connections = await Promise.all(
    Array.from({ length: 5 }, () => Connection.open(server.port)),
  );
  for (const connection of connections) connection.ask('/healthz');
  await Promise.all(connections.map((connection) => connection.resolved(1)));

  // Processes that are busy: what arrives meanwhile waits, and so does the signal.
  await signal(server, 'SIGSTOP', workersOnly);
  const waiting = await Promise.all(
    Array.from({ length: WAITING }, () => Connection.open(server.port)),
  );
  waiting.forEach((connection, number) => {
    if (number % 10 === 0) connection.post('/v2/book/1/collection', LARGE);
    else connection.ask('/healthz');
  });
  for (const connection of connections) connection.ask('/healthz');
  server.program.child.kill('SIGTERM');
  await signal(server, 'SIGCONT', workersOnly);

  await Promise.all([...waiting, ...connections].map(({ closed }) => closed));
  expect(connections.map(({ statuses }) => statuses.length)).toEqual(connections.map(() => 2));
  const outcomes = waiting.map(outcomeOf);
  const posts = outcomes.filter((_, number) => number % 10 === 0);
  const reads = outcomes.filter((_, number) => number % 10 !== 0);
  expect(reads.filter(differsFrom(SERVED)).filter(differsFrom(REFUSED))).toEqual([]);
  // Without a token: 403 with 1000 when it was served.
  expect(
    posts.filter(differsFrom({ status: 403, code: 1000 })).filter(differsFrom(REFUSED)),
  ).toEqual([]);
  expect(await server.program.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

const differsFrom =
  (expected: unknown) =>
  (outcome: unknown): boolean =>
    JSON.stringify(outcome) !== JSON.stringify(expected);

it('in the lame-duck phase the server is not ready, and serves until a second signal', async () => {
  const server = await serve({ LAME_DUCK_SECONDS: '600' });
  const connections = await Connection.open(server.port);
  server.program.child.kill('SIGTERM');
  await until(async () => (await server.get('/readyz'))[0] === 503);
  const signalled = performance.now();
  expect(await server.get('/readyz')).toEqual([
    503,
    { msg: 'unknow_v2_error', code: 999, request: 'GET /readyz' },
  ]);
  expect(await server.get('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await server.get(`/v2/book/${book}`)).toMatchObject([200, { id: String(book) }]);
  connections.ask('/healthz');
  await connections.resolved(1);
  expect(connections.received).toContain('\r\nConnection: keep-alive\r\n');
  expect(connections.received).toContain('\r\nKeep-Alive: timeout=75\r\n');

  // Signals closer together are taken for one, which npm may send twice.
  await until(() => Promise.resolve(performance.now() - signalled > 1500));
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
  await connections.closed;
  expect(server.program.stdout).not.toContain('request failed');
});
