import { createHash } from 'node:crypto';
import { freePort } from '../../src/server/listen';
import { until } from './collectors';
import { replayedAll } from './polls';
import { type Postgres } from './postgres';
import { Scene } from './scene';
import { Tunnel } from './tunnel';

let tunnel: Tunnel;
let replica: Postgres;
let scene: Scene;
let metrics: number;
let tokens: string[];
let books: number[];
beforeAll(async () => {
  metrics = await freePort();
  scene = await Scene.open(async (postgres) => {
    replica = await postgres.standby('replica');
    tunnel = await Tunnel.before(postgres.url);
    return {
      DATABASE_URL: tunnel.url,
      DATABASE_REPLICA_URLS: replica.url,
      METRICS_PORT: String(metrics),
      DATABASE_CONNECT_TIMEOUT_MS: '1000',
      CAPTCHA_AFTER: '0',
      TOKEN_CACHE_SECONDS: '300',
      CACHE_MB: '0',
    };
  });
  ({ tokens, books } = await scene.people(3, 1));
}, 600_000);
afterAll(async () => {
  await scene.close();
  await replica.close();
  await tunnel.end();
});

/** Whether the replica serves reads. */
async function isUsable(): Promise<boolean> {
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  return /^commonplace_replica_usable\{.*\} 1$/m.test(text);
}

it('a caller does not read older data after the primary is lost right after a write', async () => {
  const [token] = tokens;
  const path = `/v2/book/${books[0]}/collection`;
  const write = (method: string, comment: string): ReturnType<typeof scene.call> =>
    scene.call(path, { method, token, body: new URLSearchParams({ status: 'read', comment }) });
  expect((await write('POST', 'first')).status).toBe(201);
  await replayedAll(scene.postgres, replica);
  await until('the replica serves', isUsable);
  await replica.sql('SELECT pg_wal_replay_pause()');
  // The statement that reads the position of the write in the log.
  tunnel.loseServerAt('consistency.position');
  expect((await write('PUT', 'second')).status).toBe(202);
  expect(await isUsable()).toBe(true);
  for (let read = 0; read < 5; read += 1) {
    const { status, body } = await scene.call(path, { token });
    expect([status, (body as { comment?: string }).comment]).toEqual([503, undefined]);
  }
  tunnel.mend();
  await until('the primary serves', async () => (await scene.call(path, { token })).status === 200);
  expect((await scene.call(path, { token })).body).toMatchObject({ comment: 'second' });
  expect(scene.isAlive).toBe(true);
}, 600_000);

it('while the primary is down, tokens are read from a replica, and after a minute no user reads from one', async () => {
  const [, token, revoked = ''] = tokens;
  await replica.sql('SELECT pg_wal_replay_resume()');
  await replayedAll(scene.postgres, replica);
  await until('the replica serves', isUsable);
  await replica.sql('SELECT pg_wal_replay_pause()');
  const hash = createHash('sha256').update(revoked).digest('hex');
  await scene.postgres.sql(
    `UPDATE access_tokens SET revoked_at = now() WHERE hash = decode('${hash}', 'hex')`,
  );
  const read = (as?: string): ReturnType<typeof scene.call> =>
    scene.call(`/v2/book/${books[0]}?fields=id`, { token: as });
  tunnel.lose();
  await until('only the replica answers', () => scene.reports('read-only'));
  await until('the replica has replaced it', async () => (await read(token)).status === 200);
  expect((await read(token)).body).toEqual({ id: String(books[0]) });
  // It may have been issued just before.
  expect((await read('unknown')).status).toBe(503);
  // The replica does not know that it was revoked.
  expect((await read(revoked)).status).toBe(200);
  const title = new URLSearchParams({ title: 'a', content: 'b' });
  const written = await scene.call('/v2/notes', { method: 'POST', token: revoked, body: title });
  expect(written.status).toBe(503);
  // By now a write that only the primary has may be forgotten.
  await until('users wait for the primary', async () => (await read(token)).status === 503);
  expect((await read()).status).toBe(200);
  tunnel.mend();
  await until('the primary serves', () => scene.reports('ready'));
  expect((await read(token)).status).toBe(200);
  expect((await read(revoked)).status).toBe(401);
}, 600_000);
