import { type DataSource } from 'typeorm';
import { ENTITIES } from '../../src/server/entities';
import { Database, statement } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { Notifications } from '../../src/database/notifications';
import { SilentConnections } from '../../src/database/silent-connections';
import { ClientPresence } from '../../src/api/http/client-presence';
import { onBehalfOf } from '../../src/api/http/current-request';
import { type RequestContext } from '../../src/api/http/request-context';
import { serveOn, type Served } from '../e2e/api/serve-on';
import { Factories } from '../factories/factories';
import { atScale, figure } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';
import { testSettings } from '../settings';
import { until } from './collectors';
import { Tunnel } from './tunnel';

/** At full scale the defaults of an operator. */
const SETTINGS = atScale<Record<string, string>>(
  { DATABASE_CONNECT_TIMEOUT_MS: '5000', DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '10000' },
  {
    DATABASE_STATEMENT_TIMEOUT_MS: '200',
    DATABASE_CONNECT_TIMEOUT_MS: '1000',
    DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '2000',
  },
);
const RECOVERY = 15;
const CONNECTIONS = 5;
const ONE = statement('test.one', 'SELECT 1 AS one');

let opened: TestDatabase;
let tunnel: Tunnel;
let source: DataSource;
let served: Served;
let path: string;

beforeAll(async () => {
  opened = await openTestDatabase();
  path = `/v2/book/${await new Factories(opened.database).aBook()}`;
});
afterAll(() => opened.close());

beforeEach(async () => {
  tunnel = await Tunnel.before(opened.url);
  source = makeDataSource(testSettings(SETTINGS), tunnel.url, ENTITIES);
  await source.initialize();
  served = await serveOn(source, { settings: SETTINGS });
});
afterEach(async () => {
  await served.close();
  await source.destroy();
  await tunnel.end();
});

/** Opens some connections of a pool. */
async function warmUp(database: Database): Promise<void> {
  const all = Array.from({ length: CONNECTIONS }, () => database.pool.connect());
  for (const client of await Promise.all(all)) client.release();
}

/** Statuses until the first success, one request after the other. */
async function statusesUntilSuccess(): Promise<number[]> {
  const statuses: number[] = [];
  do {
    const { status, headers } = await served.call(path);
    statuses.push(status);
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  } while (statuses.at(-1) !== 200);
  return statuses;
}

it('all connections are closed when one stops responding', async () => {
  await warmUp(served.app.get(Database));
  tunnel.silence();
  const startedAt = performance.now();
  const statuses = await statusesUntilSuccess();
  const seconds = (performance.now() - startedAt) / 1000;
  figure('silent connections: s to the first success', seconds, { atMost: RECOVERY });
  // One was waited for. The others were not, though they are as silent.
  expect(statuses).toEqual([503, 200]);
});

it('a transaction begins on another connection when the first one does not respond', async () => {
  const database = served.app.get(Database);
  await warmUp(database);
  tunnel.silence();
  expect(await database.transaction((runner) => runner.query(ONE))).toEqual([{ one: 1 }]);
});

it('requests return 503 while no connection responds, and the service recovers', async () => {
  await warmUp(served.app.get(Database));
  tunnel.close();
  const responses = await Promise.all(Array.from({ length: 20 }, () => served.call(path)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  expect((await served.call('/readyz')).status).toBe(503);
  expect((await served.call('/healthz')).status).toBe(200);
  tunnel.mend();
  const startedAt = performance.now();
  await statusesUntilSuccess();
  const seconds = (performance.now() - startedAt) / 1000;
  figure('silent network: s to the first success', seconds, { atMost: RECOVERY });
});

it('a transaction whose connection is lost releases its locks', async () => {
  const database = served.app.get(Database);
  const lock = statement('test.lock', 'SELECT pg_advisory_xact_lock(1)');
  const lost = database.transaction(async (runner) => {
    await runner.query(lock);
    tunnel.silence();
    await runner.query(ONE);
  });
  await expect(lost).rejects.toThrow();
  const free = statement('test.try_lock', 'SELECT pg_try_advisory_xact_lock(1) AS locked');
  const seconds = await until('another transaction has the lock', async () => {
    const [row] = await database.query<{ locked: boolean }>(free);
    return row?.locked === true;
  });
  figure('silent transaction: s until its locks are free', seconds, { atMost: RECOVERY });
});

it('a request whose statements may take minutes ends, too', async () => {
  const database = served.app.get(Database);
  const silent = new SilentConnections(database);
  silent.intervalMs = 200;
  silent.onApplicationBootstrap();
  const request = { addressKey: 'a', method: 'PUT', presence: new ClientPresence() };
  let attempts = 0;
  const startedAt = performance.now();
  // It is repeated on another connection.
  const changed = onBehalfOf(request as unknown as RequestContext, () =>
    database.transaction(
      async (runner) => {
        await runner.query(ONE);
        attempts += 1;
        if (attempts === 1) tunnel.silence();
        return runner.query(ONE);
      },
      { statementTimeoutMs: 600_000 },
    ),
  );
  await expect(changed).resolves.toEqual([{ one: 1 }]);
  silent.onModuleDestroy();
  const seconds = (performance.now() - startedAt) / 1000;
  figure('silent long request: s to its end', seconds, { atMost: 40 });
  expect(attempts).toBe(2);
});

it('a listening connection that stops responding is replaced', async () => {
  const notifications = new Notifications(source);
  notifications.heartbeatMs = 100;
  let heard = 0;
  notifications.on('some_channel', (payload) => {
    if (payload === 'said') heard += 1;
  });
  await notifications.start();
  try {
    tunnel.silence();
    const seconds = await until('it hears again', async () => {
      await opened.source.query(`SELECT pg_notify('some_channel', 'said')`);
      return heard > 0;
    });
    figure('silent listener: s until it hears again', seconds, { atMost: RECOVERY });
  } finally {
    await notifications.onModuleDestroy();
  }
});
