import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRoot } from './account';
import { type Cluster, readPassword } from './cluster';
import {
  ConnectionsRefused,
  connectWhenReady,
  type Endpoint,
  type KeepAliveConnection,
} from './connection';
import { disarmPidFile, findPostmaster, portOfKilledServer } from './pid-file';
import { freePort, portsFor } from './ports';
import { serverEnvironment } from './process';
import { stopPostmaster } from './shutdown';

/**
 * Milliseconds until a started server must accept connections. After a crash it first repeats what
 * is in its log since the last checkpoint, up to half of {@link MAX_WAL}.
 */
export const READY_MS = 60_000;
/** A log larger than this (bytes) is rotated before the next start. */
const LOG_LIMIT = 5_000_000;
/** Milliseconds between attempts while sessions of a killed server end. */
const RETRY_MS = 200;

/**
 * Size of the write-ahead log that forces a checkpoint. An import writes about 60 MB a second, and
 * after each checkpoint the whole of each changed page once more; with PostgreSQL's default of 1 GB
 * there would be a checkpoint every nine seconds.
 */
const MAX_WAL = '4GB';

const MEGABYTE = 1_048_576;
/** Limits of the shared buffers in MB. */
const MIN_BUFFERS = 128;
const MAX_BUFFERS = 1024;
/** The part of the machine's memory that they take between these limits. */
const BUFFERS_PART = 16;

/**
 * Shared buffers in MB. The indexes of a million books take 500 MB; imports and searches that find
 * them in the buffers need a fifth less time. Tables need room beside them. PostgreSQL uses the
 * memory only as it fills.
 */
function sharedBuffers(): number {
  // 0 or a very large number when there is no limit.
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const part = Math.floor(memory / MEGABYTE / BUFFERS_PART);
  return Math.min(MAX_BUFFERS, Math.max(MIN_BUFFERS, part));
}

/** A started server: the connection to it, and its endpoint. */
export interface StartedServer {
  holder: KeepAliveConnection;
  endpoint: Endpoint;
}

/** Options for the start of a server. */
export interface StartOptions {
  /** Fast instead of durable: a power failure may destroy the data. */
  readonly disposable?: boolean;
  /** Required port, because other processes know the server by it. */
  readonly port?: number;
  /** Preferred port; default the port of a server that was killed. */
  readonly lastPort?: number;
  /** Milliseconds until it must accept connections; default {@link READY_MS}. */
  readonly readyMs?: number;
  /** Called when the process of the server exists. */
  readonly onLaunch?: (server: ChildProcess) => void;
}

/**
 * Starts a server on a cluster without one, and waits until it accepts connections. The server runs
 * in its own session: neither Ctrl-C nor the end of this process stops it.
 *
 * @param log path of the server log, which is appended to
 * @throws Error with the end of the log when the server stops during the start or is not ready in
 * time; ConnectionsRefused, after it has stopped the server; Error when the port is in use
 */
export async function startPostmaster(
  cluster: Cluster,
  log: string,
  { disposable = false, port, lastPort, readyMs = READY_MS, onLaunch }: StartOptions,
): Promise<StartedServer> {
  const deadline = performance.now() + readyMs;
  const password = await readPassword(cluster.path);
  const last = lastPort ?? (await portOfKilledServer(cluster.path));
  for (;;) {
    await disarmPidFile(cluster.path);
    const ports = port === undefined ? portsFor(cluster.path, last) : [port];
    const endpoint = { port: await freePort(ports), password };
    const from = await openLog(log);
    const server = await launch(cluster, settings(endpoint.port, disposable), log);
    onLaunch?.(server);
    const holder = await connectWhenReady(
      endpoint,
      () => stillStarts(server, cluster),
      readyMs,
    ).catch(async (error: unknown) => {
      // A server that only needs more time is used by the next start.
      if (error instanceof ConnectionsRefused) await stopCluster(cluster).catch(() => undefined);
      throw error;
    });
    if (holder) return { holder, endpoint };
    const logTail = await endOfLog(log, from);
    // Another program may have taken the port meanwhile.
    const portTaken = logTail.includes('could not bind') && performance.now() < deadline;
    // Sessions of a killed server end on their own after their current statement.
    const ending = logTail.includes('pre-existing shared memory') && performance.now() < deadline;
    if (!portTaken && !ending) throw startFailure(log, logTail);
    if (ending) await delay(RETRY_MS);
  }
}

/** Stops the server of a cluster, if one runs. @throws errors of `stopPostmaster` */
export async function stopCluster({
  path,
  binaries,
}: Pick<Cluster, 'path' | 'binaries'>): Promise<void> {
  const running = await findPostmaster(path);
  if (running) await stopPostmaster(path, running.pid, () => Promise.resolve(binaries.pgCtl));
}

function startFailure(log: string, logTail: string): Error {
  return new Error(`The embedded PostgreSQL stopped while starting; ${log} ends with:\n${logTail}`);
}

function settings(port: number, disposable: boolean): string[] {
  const flags = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'max_connections=100',
    `shared_buffers=${disposable ? MIN_BUFFERS : sharedBuffers()}MB`,
    `max_wal_size=${MAX_WAL}`,
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
  ];
  if (process.platform !== 'win32') flags.push('unix_socket_directories=');
  if (disposable) flags.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  // The processes that use it restart it. If PostgreSQL 18 restarts itself and its recovery fails,
  // as on a full disk, it may keep running without accepting connections.
  else flags.push('restart_after_crash=off');
  return flags.flatMap((flag) => ['-c', flag]);
}

async function launch(cluster: Cluster, flags: string[], log: string): Promise<ChildProcess> {
  const { binaries, path } = cluster;
  if (process.platform === 'win32') {
    // pg_ctl first drops administrator rights, with which PostgreSQL does not run.
    const args = ['start', '-W', '-s', '-D', path, '-l', log, '-o', flags.join(' ')];
    return begin(binaries.pgCtl, args, cluster, 'ignore');
  }
  const output = openSync(log, 'a');
  try {
    return await begin(binaries.postgres, ['-D', path, ...flags], cluster, output);
  } finally {
    closeSync(output);
  }
}

function begin(
  program: string,
  args: string[],
  { account, path }: Cluster,
  output: number | 'ignore',
): Promise<ChildProcess> {
  return new Promise((started, failed) => {
    const fail = (error: Error): void =>
      failed(new Error(`The embedded PostgreSQL cannot be started (${error.message}).`));
    try {
      const child = spawn(program, args, {
        ...account,
        cwd: path,
        env: serverEnvironment(),
        detached: true,
        windowsHide: true,
        stdio: ['ignore', output, output],
      });
      child.once('error', fail);
      child.once('spawn', () => started(child));
      child.unref();
    } catch (error) {
      fail(error as Error);
    }
  });
}

async function stillStarts(child: ChildProcess, cluster: Cluster): Promise<boolean> {
  const ended = child.exitCode !== null || child.signalCode !== null;
  if (process.platform !== 'win32' || !ended) return !ended;
  // On Windows the child is pg_ctl, which ends when it has launched the server.
  return child.exitCode === 0 && (await findPostmaster(cluster.path)) !== undefined;
}

/** Creates the log, rotates a large one, and returns its size in bytes. */
async function openLog(log: string): Promise<number> {
  const before = await stat(log).catch(() => undefined);
  if (before && before.size > LOG_LIMIT) {
    await rm(`${log}.1`, { force: true });
    await rename(log, `${log}.1`);
  }
  const file = await open(log, 'a', 0o600);
  try {
    // After a start as root the owner of the directory must still have access to the file.
    const owner = isRoot() ? await stat(dirname(log)) : undefined;
    if (owner) await file.chown(owner.uid, owner.gid);
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function endOfLog(log: string, from: number): Promise<string> {
  const text = (await readFile(log)).subarray(from).toString('utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-5).join('\n') || '(nothing)';
}
