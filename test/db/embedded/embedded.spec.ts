import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { Client } from 'pg';
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  openEmbedded,
} from '../../../src/database/embedded/embedded';
import { portsFor } from '../../../src/database/embedded/ports';
import { copyCluster } from '../../faults/postgres';

const ROOT = process.getuid?.() === 0;

const RUNNER = join(__dirname, '../../e2e/process/typescript.js');
const OPENER = join(__dirname, 'opener.program.ts');

interface Peer {
  child: ChildProcess;
  lines: Interface;
}

let home: string;
let outsideDir: string;
let opened: EmbeddedServer[];
let peers: Peer[];

beforeEach(async () => {
  home = await mkdtemp(join(await realpath(tmpdir()), 'embedded-'));
  await chmod(home, 0o755);
  outsideDir = join(home, 'outside');
  opened = [];
  peers = [];
});

afterEach(async () => {
  await Promise.all(peers.map(({ child }) => killed(child)));
  for (const server of opened) await server.release();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

/** A data directory with a cluster. */
async function existingCluster(): Promise<string> {
  const dataDir = join(home, 'data');
  await copyCluster(dataDir);
  return dataDir;
}

async function openHere(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await openEmbedded({ outsideDir, ...options });
  opened.push(server);
  return server;
}

async function openElsewhere(
  dataDir: string,
): Promise<{ started: boolean; url: string; peer: Peer }> {
  const child = spawn(process.execPath, [RUNNER, OPENER, JSON.stringify({ dataDir, outsideDir })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const peer = { child, lines: createInterface({ input: child.stdout }) };
  peers.push(peer);
  const [line] = (await once(peer.lines, 'line')) as [string];
  return { ...(JSON.parse(line) as { started: boolean; url: string }), peer };
}

async function releaseElsewhere({ child }: Peer): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin?.write('release\n');
  expect((await ended)[0]).toBe(0);
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const pidFile = (dataDir: string): string => join(dataDir, 'postgres', 'postmaster.pid');

async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(pidFile(dataDir), 'utf8'), 10);
}

/** A directory in a folder that only its owner may enter: closed to the account root uses. */
async function closedDirectory(): Promise<string> {
  const closed = join(home, 'closed');
  await mkdir(closed, { mode: 0o700 });
  return join(closed, 'data');
}

it('creates a database, keeps it between starts, and stops when the last process disconnects', async () => {
  const dataDir = join(home, '空 格 and more');
  const first = await openHere({ dataDir });
  expect(first.started).toBe(true);
  expect(first.url).toMatch(/^postgres:\/\/commonplace:[\w-]{32}@127\.0\.0\.1:\d+\/commonplace$/);
  await query(first.url, `CREATE TABLE kept AS SELECT '留'::text AS word`);
  await first.release();
  await first.release();
  expect(await exists(pidFile(dataDir))).toBe(false);

  const second = await openHere({ dataDir });
  expect(second.started).toBe(true);
  expect(await query(second.url, 'SELECT word FROM kept')).toEqual([{ word: '留' }]);
});

it('listens on 127.0.0.1 with passwords, with UTF8, UTC, the C locale and fsync', async () => {
  const dataDir = await existingCluster();
  const { url } = await openHere({ dataDir });
  const settings = await query<{ name: string; setting: string }>(
    url,
    `SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'fsync', 'TimeZone',
       'unix_socket_directories', 'server_encoding', 'data_checksums') ORDER BY name`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    TimeZone: 'UTC',
    data_checksums: 'on',
    fsync: 'on',
    listen_addresses: '127.0.0.1',
    server_encoding: 'UTF8',
    unix_socket_directories: '',
  });
  expect(
    await query(url, 'SELECT datcollate FROM pg_database WHERE datname = current_database()'),
  ).toEqual([{ datcollate: 'C' }]);
  const wrong = url.replace(/:[\w-]+@/, ':wrong@');
  await expect(query(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
});

it('stores the cluster where its account can access it, and finds it again', async () => {
  const dataDir = await closedDirectory();
  const first = await openHere({ dataDir });
  await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  await first.release();
  const place = join(dataDir, 'postgres');
  // Only root runs the server as another account, which cannot enter the folder.
  expect((await lstat(place)).isSymbolicLink()).toBe(ROOT);
  expect((await realpath(place)).startsWith(ROOT ? outsideDir : dataDir)).toBe(true);
  const second = await openHere({ dataDir });
  expect(await query(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
});

it('does not create a new cluster when one that is stored elsewhere is missing', async () => {
  const dataDir = join(home, ...Array.from({ length: 4 }, () => 'a'.repeat(240)));
  await (await openHere({ dataDir })).release();
  const kept = await realpath(join(dataDir, 'postgres'));
  expect(kept.startsWith(outsideDir)).toBe(true);
  await rm(kept, { recursive: true });
  await expect(openHere({ dataDir })).rejects.toThrow(
    /which no longer exists\. Restore it, or remove /,
  );
});

it('starts one server for concurrent processes; the last process stops it', async () => {
  const dataDir = join(home, 'data');
  const [a, b] = await Promise.all([openElsewhere(dataDir), openElsewhere(dataDir)]);
  expect([a.started, b.started].sort()).toEqual([false, true]);
  expect(a.url).toBe(b.url);
  const [starter, other] = a.started ? [a, b] : [b, a];

  await releaseElsewhere(starter.peer);
  expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const here = await openHere({ dataDir });
  expect(here.started).toBe(false);
  await releaseElsewhere(other.peer);
  expect(await query(here.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await here.release();
  expect(await exists(pidFile(dataDir))).toBe(false);
});

it('does not stop the server while another program has a session', async () => {
  const dataDir = await existingCluster();
  const first = await openHere({ dataDir });
  const visitor = new Client({ connectionString: first.url });
  await visitor.connect();
  await first.release();
  expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await visitor.end();
  const second = await openHere({ dataDir });
  expect(second.started).toBe(false);
});

it('restarts a server that was told to stop and waits for the session of another program', async () => {
  const dataDir = await existingCluster();
  // Its port is not the one that it would take without an earlier one.
  const [port] = portsFor(await realpath(join(dataDir, 'postgres')));
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const first = await openHere({ dataDir });
  other.close();
  await once(other, 'close');
  const visitor = new Client({ connectionString: first.url });
  visitor.on('error', () => undefined);
  await visitor.connect();
  await first.release();
  process.kill(await postmasterOf(dataDir), 'SIGTERM');
  const second = await openHere({ dataDir });
  expect(second).toMatchObject({ started: true, url: first.url });
  await expect(visitor.query('SELECT 1')).rejects.toThrow();
});

it('uses the running server of a process that was killed', async () => {
  const dataDir = await existingCluster();
  const { peer, url } = await openElsewhere(dataDir);
  await killed(peer.child);
  const server = await openHere({ dataDir });
  expect(server).toMatchObject({ started: false, url });
  await server.release();
  expect(await exists(pidFile(dataDir))).toBe(false);
});

it('recovers after all processes were killed, also when a process id was reused', async () => {
  const dataDir = await existingCluster();
  const { peer, url } = await openElsewhere(dataDir);
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS one');
  const postmaster = await postmasterOf(dataDir);
  await killed(peer.child);
  process.kill(postmaster, 'SIGKILL');
  const stale = await readFile(pidFile(dataDir), 'utf8');
  await writeFile(pidFile(dataDir), stale.replace(/^\d+/, String(process.pid)));
  const server = await openHere({ dataDir });
  expect(server.started).toBe(true);
  expect(await query(server.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
});

it('continues after a session crashes, which closes all connections', async () => {
  const dataDir = await existingCluster();
  const first = await openHere({ dataDir });
  const second = await openHere({ dataDir });
  const pids = await query<{ pid: number }>(
    first.url,
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'commonplace-holder'`,
  );
  expect(pids).toHaveLength(2);
  process.kill(pids[0]?.pid ?? 0, 'SIGKILL');
  await first.release();
  await second.release();
  expect(await exists(pidFile(dataDir))).toBe(false);
});

it('ignores the files of an initialisation that was killed', async () => {
  const dataDir = join(home, 'data');
  const half = join(dataDir, 'postgres.new-0123');
  await mkdir(half, { recursive: true });
  await writeFile(join(half, 'PG_VERSION'), '18\n');
  const server = await openHere({ dataDir });
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await exists(half)).toBe(false);
});

it('stops a disposable server immediately and removes its files', async () => {
  const dataDir = await closedDirectory();
  const first = await openHere({ dataDir, disposable: true });
  await openHere({ dataDir, disposable: true });
  expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
  const place = await realpath(join(dataDir, 'postgres'));
  await first.release();
  expect(await exists(join(place, 'postmaster.pid'))).toBe(false);
  expect(await exists(place)).toBe(!ROOT);
});

it('states why a data directory cannot be used', async () => {
  const file = join(home, 'file');
  await writeFile(file, '');
  // Folders cannot be made below a file, nor in /proc.
  const closed = process.platform === 'linux' ? ['/proc/commonplace'] : [];
  for (const dataDir of [file, join(file, 'data'), ...closed]) {
    await expect(openHere({ dataDir })).rejects.toThrow(
      /^The embedded PostgreSQL cannot use .+: E[A-Z]+: .+\. Choose another data directory, or set /,
    );
  }
});

it('states why a server does not start', async () => {
  const dataDir = await existingCluster();
  await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
  await expect(openHere({ dataDir })).rejects.toThrow(/stopped while starting[^]*pg_control/);
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
  await expect(openHere({ dataDir })).rejects.toThrow(
    /created by PostgreSQL 12, but the installed/,
  );
  await expect(openHere({ dataDir: 'relative' })).rejects.toThrow(/must be absolute/);
});
