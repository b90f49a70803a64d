import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import {
  currentUrl,
  locatePrimary,
  makeDataSource,
  replicasOf,
} from '../../src/database/data-source';
import { KnownTimeline, type ClusterTimeline } from '../../src/database/replicas/known-timeline';
import { testSettings } from '../settings';
import { replayedAll } from './polls';
import { type Postgres } from './postgres';
import { eventually } from './processes';
import { Scene } from './scene';

jest.setTimeout(180_000);

let scene: Scene;
/** The first host of DATABASE_URL. It runs on after the promotion of the other one. */
let former: Postgres;
let promoted: Postgres;
let folder: string;
let tokens: string[];
let books: number[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-former-'));
  scene = await Scene.open(async (postgres) => {
    promoted = await postgres.standby('promoted');
    const hosts = `${postgres.host},${promoted.host}`;
    return {
      DATABASE_URL: postgres.url.replace(postgres.host, hosts),
      TRANSFER_DIR: folder,
      CAPTCHA_AFTER: '0',
      LIMIT_ANONYMOUS: '0',
    };
  });
  former = scene.postgres;
  ({ tokens, books } = await scene.people(1, 5));
});

afterAll(async () => {
  await scene?.close();
  await promoted?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a collection. @returns the comment that its user reads after that */
async function writtenAndRead(method: 'POST' | 'PUT', comment: string): Promise<unknown> {
  const [token] = tokens;
  const path = `/v2/book/${books[0]}/collection`;
  const body = new URLSearchParams({ status: 'read', comment });
  const { status } = await scene.call(path, { method, token, body });
  if (status >= 300) return status;
  const { body: read } = await scene.call(path, { token });
  return (read as { comment?: string }).comment;
}

const listeners = async (server: Postgres): Promise<number> => {
  const [row] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name = 'commonplace-listener'`,
  );
  return row?.n ?? -1;
};

const insertJob = (server: Postgres, type: string, path: string): Promise<unknown> =>
  server.sql(
    `INSERT INTO transfer_jobs (type, kind, path, from_cli, created_by)
     VALUES ('${type}', 'user', '${path}', false, 'test');
     NOTIFY jobs_changed`,
  );

const stateOf = async (server: Postgres, path: string): Promise<string | undefined> => {
  const [row] = await server.sql<{ state: string }>(
    `SELECT state FROM transfer_jobs WHERE path = '${path}'`,
  );
  return row?.state;
};

/** Starts an import that waits for the lock of a session on the former primary. */
async function startHeldImport(): Promise<Client> {
  const holder = new Client({ connectionString: former.url });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
  await writeFile(join(folder, 'people.ndjson'), '{"id":"7","uid":"seven","name":"Seven"}\n');
  await insertJob(former, 'import', 'people.ndjson');
  await eventually('the import waits for the lock', async () => {
    const waiting = await former.sql(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass`,
    );
    return waiting.length > 0;
  });
  return holder;
}

it('a server leaves a former primary that runs on, with the responses in memory', async () => {
  expect(await writtenAndRead('POST', 'before')).toBe('before');
  const holder = await startHeldImport();
  await replayedAll(former, promoted);
  // A write that could commit on the former primary after the process has left that.
  const lock = new Client({ connectionString: former.url });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE collections IN SHARE MODE');
  const held = scene.call(`/v2/book/${books[1]}/collection`, {
    method: 'POST',
    token: tokens[0],
    body: new URLSearchParams({ status: 'read' }),
  });
  await eventually('the write waits for the lock', async () => {
    const waiting = await former.sql(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'collections'::regclass`,
    );
    return waiting.length > 0;
  });
  await promoted.promote();
  await eventually('the process uses the promoted server', async () => {
    return (await listeners(promoted)) === 1;
  });
  await lock.end();
  expect((await held).status).toBe(201);
  const heldRows = (server: Postgres): Promise<object[]> =>
    server.sql(`SELECT status FROM collections WHERE book_id = ${books[1]}`);
  expect([await heldRows(former), await heldRows(promoted)]).toMatchObject([[], [{}]]);
  let written = 0;
  await eventually('writes go to the promoted server', async () => {
    written += 1;
    await writtenAndRead('PUT', `during ${written}`);
    const [row] = await promoted.sql<{ comment: string }>(
      `SELECT comment FROM collections WHERE book_id = ${books[0]}`,
    );
    return row?.comment === `during ${written}`;
  });
  await eventually('notifications come from there', async () => {
    const [there, here] = [await listeners(promoted), await listeners(former)];
    return there === 1 && here === 0;
  });
  for (let at = 0; at < 6; at += 1) {
    expect(await writtenAndRead('PUT', `after ${at}`)).toBe(`after ${at}`);
  }
  await eventually('the import is resumed there', async () => {
    return (await stateOf(promoted, 'people.ndjson')) === 'done';
  });
  await holder.end();
  expect(await promoted.sql('SELECT uid FROM users WHERE id = 7')).toEqual([{ uid: 'seven' }]);
  expect(await former.sql('SELECT uid FROM users WHERE id = 7')).toEqual([]);
  expect(scene.isAlive).toBe(true);
});

it('a command waits for the promoted server while it does not respond', async () => {
  await promoted.freeze();
  const command = scene.command(['limit', 'set', 'LIMIT_ANONYMOUS', '555']);
  try {
    // The former primary has a session of the command when that looks for the primary.
    await eventually('the command looks for the primary', async () => {
      const monitors = await former.sql(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'commonplace-monitor'`,
      );
      return monitors.length > 1;
    });
  } finally {
    promoted.thaw();
  }
  expect(await command).toMatchObject({ code: 0 });
  const limits = (server: Postgres): Promise<object[]> => server.sql('SELECT value FROM limits');
  expect([await limits(former), await limits(promoted)]).toEqual([[], [{ value: 555 }]]);
});

it('new jobs and commands use the promoted server', async () => {
  await insertJob(promoted, 'export', 'users.ndjson');
  await eventually('the job is done', async () => {
    return (await stateOf(promoted, 'users.ndjson')) === 'done';
  });
  expect(await stateOf(former, 'users.ndjson')).toBeUndefined();
  const { code } = await scene.command(['limit', 'set', 'LIMIT_ANONYMOUS', '777']);
  expect(code).toBe(0);
  const limits = (server: Postgres): Promise<object[]> => server.sql('SELECT name FROM limits');
  expect([await limits(former), await limits(promoted)]).toMatchObject([[], [{}]]);
});

describe('while the promoted server is down', () => {
  let standby: Postgres;
  let other: string;
  beforeAll(async () => {
    other = await mkdtemp(join(tmpdir(), 'commonplace-former-other-'));
    standby = await promoted.standby('standby');
    await promoted.down('immediate');
  });
  afterAll(async () => {
    if (!promoted.isUp) await promoted.up();
    await standby?.close();
    await rm(other, { recursive: true, force: true });
  });

  const limits = (): Promise<object[]> => former.sql('SELECT name FROM limits');

  it('commands do not use the former primary: the server has stored the timeline', async () => {
    const { code, stderr } = await scene.command(['limit', 'set', 'LIMIT_ANONYMOUS', '888']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is a former primary server')]);
    expect(await limits()).toEqual([]);
  });

  it('a running process leaves the former primary when a standby has a later timeline', async () => {
    const address = former.url.replace(former.host, `${former.host},${standby.host}`);
    const source = makeDataSource(testSettings({ DATA_DIR: other }), address, []);
    const servers = replicasOf(source);
    const logged: string[] = [];
    await servers?.start({ log: (text) => logged.push(text), onPrimary: () => undefined });
    expect(logged).toEqual([
      `${former.host} is a former primary server: ${standby.host} has a later timeline`,
    ]);
    expect(currentUrl(source)).toContain(standby.host);
    expect(servers?.hasPrimary).toBe(false);
    await servers?.close();
  });

  it('a running process leaves the former primary when its own file has a later timeline', async () => {
    const own = await mkdtemp(join(tmpdir(), 'commonplace-former-own-'));
    const [control] = await former.sql<{ system: string }>(
      'SELECT system_identifier::text AS system FROM pg_control_system()',
    );
    await writeFile(
      join(own, 'primary-timeline.json'),
      JSON.stringify({ ...control, timeline: 9 }),
    );
    const address = former.url.replace(former.host, `${former.host},${promoted.host}`);
    const source = makeDataSource(testSettings({ DATA_DIR: own }), address, []);
    const servers = replicasOf(source);
    await servers?.start({ log: () => undefined, onPrimary: () => undefined });
    expect(currentUrl(source)).toContain(promoted.host);
    expect(servers?.hasPrimary).toBe(false);
    await servers?.close();
    // With one address there is no other server, for example after a restored snapshot.
    const settings = testSettings({
      DATA_DIR: own,
      DATABASE_URL: former.url,
      DATABASE_REPLICA_URLS: standby.url,
    });
    const only = replicasOf(makeDataSource(settings, former.url, []));
    await only?.start({ log: () => undefined, onPrimary: () => undefined });
    expect(only?.hasPrimary).toBe(true);
    await only?.close();
    await rm(own, { recursive: true });
  });

  it('processes do not use the former primary: a standby has a later timeline', async () => {
    const hosts = `${former.host},${promoted.host},${standby.host}`;
    const address = former.url.replace(former.host, hosts);
    const source = makeDataSource(testSettings({ DATA_DIR: other }), address, []);
    await expect(locatePrimary(source, 1000)).rejects.toThrow('is a former primary server');
    await promoted.up();
    await promoted.ready();
    await locatePrimary(source);
    expect(currentUrl(source)).toContain(promoted.host);
  });

  it('the timeline is stored only for the same cluster, and never an earlier one', async () => {
    const of = (timeline: number, system = 'a'): ClusterTimeline => ({ system, timeline });
    const known = new KnownTimeline(other);
    const [earlier, later] = [of(2), of(3)];
    expect(known.isFormer(of(1))).toBe(false);
    const stored = async (): Promise<unknown> =>
      JSON.parse(await readFile(join(other, 'primary-timeline.json'), 'utf8').catch(() => 'null'));
    known.remember(later);
    known.remember(earlier);
    await eventually('it is stored', async () => isDeepStrictEqual(await stored(), later));
    expect(new KnownTimeline(other).isFormer(of(2))).toBe(true);
    known.remember(of(2, 'b'));
    await eventually('that of the other cluster is stored', async () =>
      isDeepStrictEqual(await stored(), of(2, 'b')),
    );
    expect(known.isFormer(of(1))).toBe(false);
  });
});
