import { freePort } from '../../../src/server/listen';
import { Workshop, type Server } from '../../e2e/process/programs';
import { callAt } from '../../http';
import { RedisServer } from '../../redis/redis-server';
import { type Postgres } from '../postgres';
import { eventually } from '../processes';
import { Scene } from '../scene';
import { Tunnel } from '../tunnel';

const MAX_LAG_MS = 5000;
/** Milliseconds by which the replica lags behind. */
const DELAY_MS = 1500;
const PAIRS = 3;

let redis: RedisServer;
let replica: Postgres;
let tunnels: Tunnel[];
let scene: Scene;
let workshop: Workshop;
let other: Server;
let metrics: number;
beforeAll(async () => {
  redis = await RedisServer.open();
  metrics = await freePort();
  const settings = {
    ...{ CAPTCHA_AFTER: '0', CACHE_MB: '0', REPLICA_MAX_LAG_MS: String(MAX_LAG_MS) },
    LIMITS_WITHOUT_REDIS: 'local',
  };
  scene = await Scene.open(async (postgres) => {
    replica = await postgres.standby('replica');
    await replica.sql(`ALTER SYSTEM SET recovery_min_apply_delay = ${DELAY_MS}`);
    await replica.sql('SELECT pg_reload_conf()');
    tunnels = [await Tunnel.before(redis.url), await Tunnel.before(replica.url)];
    const [REDIS_URL, DATABASE_REPLICA_URLS] = tunnels.map(({ url }) => url);
    return {
      ...settings,
      REDIS_URL: String(REDIS_URL),
      DATABASE_REPLICA_URLS: String(DATABASE_REPLICA_URLS),
    };
  });
  workshop = await Workshop.open();
  other = await workshop.serve({
    ...settings,
    DATABASE_URL: scene.postgres.url,
    REDIS_URL: redis.url,
    DATABASE_REPLICA_URLS: replica.url,
    METRICS_PORT: String(metrics),
    LOG_LEVEL: 'fatal',
  });
}, 600_000);
afterAll(async () => {
  await workshop.close();
  await scene.close();
  for (const tunnel of tunnels) await tunnel.end();
  await replica.close();
  await redis.close();
});

/** Statements of requests that the other server has sent to the replica. */
async function replicaStatements(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const line = /^commonplace_request_statements_total\{server="replica"\} (\d+)$/m.exec(text);
  return Number(line?.[1] ?? 0);
}

it('a caller reads its own writes through other servers after one has lost Redis and a replica', async () => {
  const { tokens, books } = await scene.people(1, 1);
  const [token] = tokens;
  const path = `/v2/book/${books[0]}/collection`;
  const read = () => callAt(other.origin)(path, { token });
  const write = (method: string, comment: string): ReturnType<typeof scene.call> =>
    scene.call(path, { method, token, body: new URLSearchParams({ status: 'read', comment }) });
  expect((await write('POST', 'first')).status).toBe(201);
  await eventually('the other server reads from the replica', async () => {
    const before = await replicaStatements();
    expect((await read()).body).toMatchObject({ comment: 'first' });
    return (await replicaStatements()) > before;
  });
  for (const tunnel of tunnels) tunnel.lose();
  for (let pair = 0; pair < PAIRS; pair += 1) {
    expect((await write('PUT', `comment ${pair}`)).status).toBe(202);
    expect((await read()).body).toMatchObject({ comment: `comment ${pair}` });
  }
  expect(scene.isAlive).toBe(true);
}, 600_000);
