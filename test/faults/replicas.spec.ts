import { freePort } from '../../src/server/listen';
import { atScale } from '../figures';
import { polled, replayedAll } from './polls';
import { type Postgres } from './postgres';
import { eventually } from './processes';
import { Scene } from './scene';
import { Writers } from './writers';

const PAIRS = atScale(20_000, 300);

jest.setTimeout(180_000);

let scene: Scene;
let replicas: Postgres[] = [];
let metrics: number;
let tokens: string[];
let books: number[];

beforeAll(async () => {
  metrics = await freePort();
  scene = await Scene.open(async (postgres) => {
    replicas = [await postgres.standby('replica1'), await postgres.standby('replica2')];
    await postgres.sql(`ALTER SYSTEM SET synchronous_standby_names = 'replica1'`);
    await postgres.sql('SELECT pg_reload_conf()');
    const hosts = [postgres, ...replicas].map(({ host }) => host).join(',');
    return {
      DATABASE_URL: `${postgres.url.replace(postgres.host, hosts)}?target_session_attrs=read-write`,
      DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(' '),
      CAPTCHA_AFTER: '0',
      WORKERS: '2',
      METRICS_PORT: String(metrics),
      DATABASE_CONNECT_TIMEOUT_MS: '2000',
      DATABASE_STATEMENT_TIMEOUT_MS: '3000',
    };
  });
  ({ tokens, books } = await scene.people(4, 40));
});

afterAll(async () => {
  for (const replica of replicas) replica.thaw();
  await scene?.close();
  for (const replica of replicas) await replica.close();
});

/** The sum of a metric. */
async function metric(start: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(start));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

const usable = (): Promise<number> => metric('commonplace_replica_usable{');
const statements = (server: string): Promise<number> =>
  metric(`commonplace_request_statements_total{server="${server}"}`);

/** Books that users have collected. */
const collected = new Set<string>();

/** Writes and reads of a user, each through any worker; returns how many reads lacked the write. */
async function stalePairs(token: string, count: number, name: string): Promise<number> {
  let stale = 0;
  for (let pair = 0; pair < count; pair += 1) {
    const book = books[pair % 20];
    const path = `/v2/book/${book}/collection`;
    const method = collected.has(token + String(book)) ? 'PUT' : 'POST';
    collected.add(token + String(book));
    const comment = `${name} ${pair}`;
    const body = new URLSearchParams({ status: 'read', comment });
    const written = await scene.call(path, { method, token, body });
    if (written.status >= 300) throw new Error(`${written.status} ${JSON.stringify(written.body)}`);
    const read = await scene.call(path, { token });
    if ((read.body as { comment?: string }).comment !== comment) stale += 1;
  }
  return stale;
}

it('reads use replicas, and callers read their own writes', async () => {
  await eventually('both replicas serve', async () => (await usable()) === 2);
  const before = await statements('replica');
  for (let read = 0; read < 200; read += 1) {
    expect((await scene.call(`/v2/book/search?q=book${read}`)).status).toBe(200);
  }
  expect((await statements('replica')) - before).toBeGreaterThanOrEqual(180);

  const users = tokens.map((token, at) => stalePairs(token, PAIRS / 4, `a${at}`));
  expect(await Promise.all(users)).toEqual([0, 0, 0, 0]);
});

it('a replica that lags behind is left out, and returns', async () => {
  const [first, second] = replicas as [Postgres, Postgres];
  await first.sql('SELECT pg_wal_replay_pause()');
  const title = (id: number): Promise<unknown> =>
    scene.call(`/v2/book/${id}?fields=title`).then(({ body }) => body);
  const [book = 0] = books;
  expect(
    await stalePairs(String(tokens[0]), books.length * 2, 'b').catch(() => -1),
  ).not.toBeGreaterThan(0);
  await scene.postgres.sql(`UPDATE books SET title = 'Changed' WHERE id = ${book}`);
  await eventually('the other replica serves alone', async () => (await usable()) === 1);
  await replayedAll(scene.postgres, second);
  for (let read = 0; read < 20; read += 1) expect(await title(book)).toEqual({ title: 'Changed' });
  await second.sql('SELECT pg_wal_replay_pause()');
  await scene.postgres.sql(`UPDATE books SET title = 'Again' WHERE id = ${book}`);
  await eventually('no replica serves', async () => (await usable()) === 0);
  // A worker may show the former title for 100 ms.
  await eventually('the primary serves', async () => {
    const { title: shown } = (await title(book)) as { title: string };
    return shown === 'Again';
  });
  for (let read = 0; read < 20; read += 1) expect(await title(book)).toEqual({ title: 'Again' });
  for (const replica of replicas) await replica.sql('SELECT pg_wal_replay_resume()');
  await eventually('both serve again', async () => (await usable()) === 2);
  expect(scene.isAlive).toBe(true);
});

it('no request fails when a replica hangs or crashes', async () => {
  const [, second] = replicas as [Postgres, Postgres];
  const failures: unknown[] = [];
  let running = true;
  const read = async (): Promise<void> => {
    for (let at = 0; running; at += 1) {
      const { status } = await scene.call(`/v2/book/search?q=b${at % 50}`);
      if (status !== 200) failures.push(status);
    }
  };
  const reads = [read(), read(), read()];
  await second.freeze();
  await eventually('the frozen replica is left out', async () => (await usable()) === 1);
  second.thaw();
  await eventually('it returns', async () => (await usable()) === 2);
  await second.down('immediate');
  await eventually('the dead replica is left out', async () => (await usable()) === 1);
  await second.up();
  await eventually('it returns', async () => (await usable()) === 2);
  running = false;
  await Promise.all(reads);
  expect(failures).toEqual([]);
});

it('failover: after a promotion writes resume, no acknowledged write is lost, and no read fails', async () => {
  const [first] = replicas as [Postgres, Postgres];
  const writers = new Writers([scene.call], tokens.slice(1), books.slice(20));
  const readFailures: unknown[] = [];
  let running = true;
  const read = async (token?: string): Promise<void> => {
    for (let at = 0; running; at += 1) {
      const { status } = await scene.call(`/v2/book/search?q=c${at % 50}`, { token });
      if (status !== 200) readFailures.push(status);
    }
  };
  const reads = [read(), read(), read(tokens[0])];
  await writers.more(40);
  await scene.postgres.down('immediate');
  await eventually('only replicas answer', () => scene.reports('read-only'));
  await first.promote();
  await writers.more(40);
  running = false;
  await Promise.all([writers.stop(), ...reads]);
  const rows = await first.sql<{ title: string }>('SELECT title FROM notes');
  const stored = new Set(rows.map(({ title }) => title));
  expect(writers.acknowledged.filter((title) => !stored.has(title))).toEqual([]);
  // 409: a collection that was stored although its response was 503.
  expect(writers.unexpected([200, 201, 202, 409, 503])).toEqual([]);
  expect(readFailures).toEqual([]);
  await eventually('the service is ready', () => scene.reports('ready'));
  expect(scene.isAlive).toBe(true);
});

it('after a failover a replica that follows the former primary is not used', async () => {
  const [, second] = replicas as [Postgres, Postgres];
  const [token = '', other = ''] = tokens;
  const note = { title: 'Public', content: 'text', privacy: 'public' };
  const write = (path: string, method: string, privacy: string): ReturnType<typeof scene.call> =>
    scene.call(path, { method, token, body: new URLSearchParams({ ...note, privacy }) });
  const created = await write('/v2/notes', 'POST', 'public');
  expect(created.status).toBe(201);
  const path = `/v2/note/${(created.body as { id: number }).id}`;

  // The former primary returns, and its log becomes longer than that of the new one.
  await scene.postgres.up();
  await scene.postgres.sql(
    `SET synchronous_commit TO local; CREATE TABLE former AS SELECT generate_series(1, 50000) AS id`,
  );
  await replayedAll(scene.postgres, second);
  await polled(second);
  expect(await usable()).toBe(0);
  expect(await stalePairs(token, 40, 'former')).toBe(0);
  expect((await scene.call(path, { token: other })).status).toBe(200);
  expect((await write(path, 'PUT', 'private')).status).toBe(202);
  await polled(second);
  for (let read = 0; read < 20; read += 1) {
    expect((await scene.call(`${path}?read=${read}`, { token: other })).status).not.toBe(200);
  }
  expect(scene.isAlive).toBe(true);
});
