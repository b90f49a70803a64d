import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { createDirectory } from '../../config/directories';
import { isRoot, outsideDirectory } from './account';
import { findBinaries } from './binaries';
import { findCluster, prepareCluster, readPassword, removeOutside } from './cluster';
import {
  connectWhenReady,
  ensureDatabase,
  type Endpoint,
  KeepAliveConnection,
  isInUse,
  urlOf,
} from './connection';
import { LockFileError, withLock } from './lock';
import { findPostmaster, READY_MS, startPostmaster, stopPostmaster } from './postmaster';
import { type Recovery, Supervisor } from './supervisor';

/** Where the embedded PostgreSQL keeps its data, and how carefully. */
export interface EmbeddedOptions {
  /**
   * DATA_DIR, absolute; made when missing. The cluster is `postgres` in it, the server's messages
   * go to `postgres.log`. When the account that runs the server cannot use this place (root's own
   * folders, paths of more than 900 bytes), `postgres` is a link to the cluster elsewhere.
   */
  dataDir: string;
  /**
   * For tests: quick instead of safe (a power cut may ruin the data), and `release` always stops
   * the server, whoever else uses it, and removes a cluster that had to be kept elsewhere.
   */
  disposable?: boolean;
  /**
   * For tests: where to keep what cannot stay in place, instead of /var/lib/commonplace (root; or
   * /var/tmp/commonplace) or ~/.commonplace (everyone else).
   */
  outsideDir?: string;
  /**
   * Called with a sentence for the log when the server is gone, cannot be started again, or is
   * back. Not called for a disposable server, which is not started again.
   */
  tell?: (message: string) => void;
}

/** A PostgreSQL server of this machine, held by this process. */
export interface EmbeddedServer {
  /** postgres://user:password@127.0.0.1:port/commonplace; the user may do anything. */
  url: string;
  /** True when this call started the server, false when it attached to one already up. */
  started: boolean;
  /**
   * Disconnects from the server. The last process to disconnect stops it, whoever started it, and
   * waits until it is gone; sessions that this process has left open are ended then. Idempotent.
   *
   * @throws Error when the server does not stop within a minute.
   */
  release(): Promise<void>;
}

/** SQLSTATE of a server that takes no more sessions. */
const TOO_MANY_CONNECTIONS = '53300';

interface Session {
  holder: KeepAliveConnection;
  endpoint: Endpoint;
  started: boolean;
}

/**
 * Starts PostgreSQL on the data of `options.dataDir`, making the cluster and the database
 * `commonplace` when they are missing, or attaches to the server that already runs on it. Any
 * number of processes may do so at once; there is never more than one server. It does not keep
 * the process alive, and it outlives a process that ends without calling `release`. When it dies,
 * one of the processes that use it starts it again, at the same address.
 *
 * @throws Error with one sentence that says what is wrong, such as a platform for which there is
 * no PostgreSQL, or a server that does not start (then with the end of its log).
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const settled = { ...options, dataDir: await resolveDataDir(options.dataDir) };
    const lock = lockIn(settled.dataDir);
    const { holder, endpoint, started } = await withLock(lock, () => enter(settled));
    const recovery = options.disposable ? undefined : recoveryOf(settled, endpoint);
    const supervisor = new Supervisor(holder, recovery, options.tell ?? (() => undefined));
    let leaving: Promise<void> | undefined;
    return {
      url: urlOf(endpoint),
      started,
      release: () => (leaving ??= release(settled, supervisor)),
    };
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, options.dataDir);
  }
}

async function release(options: EmbeddedOptions, supervisor: Supervisor): Promise<void> {
  await supervisor.end();
  const work = (): Promise<void> => leave(options, supervisor.holder);
  try {
    await withLock(lockIn(options.dataDir), work);
  } catch (error) {
    // A full or read-only disk has no place for a lock, and the server is to be stopped all the same.
    if (!(error instanceof LockFileError)) throw error;
    await work();
  } finally {
    await supervisor.holder.close();
  }
}

/** Gets the server of a data directory back, at the address where it was. */
function recoveryOf(options: EmbeddedOptions, endpoint: Endpoint): Recovery {
  const running = async (): ReturnType<typeof findPostmaster> => {
    const cluster = await findCluster(options.dataDir);
    // It must not begin with an empty database instead.
    if (!cluster) throw new Error(`The database of ${options.dataDir} is gone.`);
    return findPostmaster(cluster);
  };
  const begin = async (adopt: (holder: KeepAliveConnection) => void): Promise<void> => {
    const found = await running();
    if (found && found.port !== endpoint.port) {
      throw new Error(`The embedded PostgreSQL was started on another port, ${found.port}.`);
    }
    adopt(
      found
        ? await KeepAliveConnection.connect(endpoint)
        : (await start(options, endpoint.port)).holder,
    );
  };
  return {
    connect: () => KeepAliveConnection.connect(endpoint),
    isRunning: async () => (await running()) !== undefined,
    start: (adopt) => withLock(lockIn(options.dataDir), () => begin(adopt)),
  };
}

const lockIn = (dataDir: string): string => join(dataDir, 'postgres.lock');

/** PostgreSQL itself only deals in real paths; so two names of one directory also mean the same. */
async function resolveDataDir(dataDir: string): Promise<string> {
  if (!isAbsolute(dataDir)) throw new Error(`The data directory ${dataDir} must be absolute.`);
  await createDirectory(dataDir);
  return realpath(dataDir);
}

/** Attaches or starts; under the lock. */
async function enter(options: EmbeddedOptions): Promise<Session> {
  const cluster = await findCluster(options.dataDir);
  const session = (cluster && (await attach(cluster))) || (await start(options));
  try {
    // Also after attaching: whoever started it may have been killed before this.
    await ensureDatabase(session.holder);
    return session;
  } catch (error) {
    await leave(options, session.holder).catch(() => undefined);
    throw error;
  }
}

/** Attaches to the server that runs on a cluster; undefined when there is none. */
async function attach(cluster: string): Promise<Session | undefined> {
  const running = await findPostmaster(cluster);
  if (!running) return undefined;
  const endpoint = { port: running.port, password: await readPassword(cluster) };
  const isRunning = async (): Promise<boolean> => (await findPostmaster(cluster)) !== undefined;
  const holder = await connectWhenReady(endpoint, isRunning, READY_MS);
  return holder && { holder, endpoint, started: false };
}

/** @param port where it must be; undefined: anywhere */
async function start(options: EmbeddedOptions, port?: number): Promise<Session> {
  const cluster = await prepareCluster(options);
  const log = join(options.dataDir, 'postgres.log');
  const disposable = options.disposable === true;
  const server = await startPostmaster(cluster, log, { disposable, port });
  return { ...server, started: true };
}

/**
 * Disconnects, and stops the server when nobody else uses it; under the lock, so that of two
 * processes that leave at once the second no longer sees the first.
 */
async function leave(options: EmbeddedOptions, holder: KeepAliveConnection): Promise<void> {
  const { dataDir, disposable } = options;
  const cluster = await findCluster(dataDir);
  const running = cluster && (await findPostmaster(cluster));
  if (cluster && running) {
    const inUse = !disposable && (await isHeld(cluster, holder));
    await holder.close();
    if (inUse) return;
    await stopPostmaster(cluster, running.pid, () => pgCtl(options));
  }
  if (disposable && cluster) await removeOutside(dataDir);
}

async function isHeld(cluster: string, holder: KeepAliveConnection): Promise<boolean> {
  try {
    return await isInUse(holder);
  } catch {
    // A session or the whole server crashed meanwhile: ask the one that runs now. Our own holder
    // must not come back, or it would be taken for somebody else's.
    await holder.close();
  }
  try {
    const session = await attach(cluster);
    if (!session) return false;
    session.holder.expectOthers();
    return await isInUse(session.holder).finally(() => session.holder.close());
  } catch (error) {
    // Full of connections, it is in use. Otherwise it hangs or still recovers: nobody can use it,
    // and those who want to will start it again.
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === TOO_MANY_CONNECTIONS;
  }
}

async function pgCtl({ dataDir, outsideDir }: EmbeddedOptions): Promise<string> {
  const outside = (): Promise<string> => outsideDirectory(undefined, dataDir, outsideDir);
  return (await findBinaries(undefined, outside)).pgCtl;
}

/** Errors of the file system as a sentence that says what to do. */
function explained(error: NodeJS.ErrnoException, dataDir: string): Error {
  if (error.syscall === undefined) return error;
  const advice = isRoot() ? '' : ' (does it belong to another user?)';
  return new Error(
    `The embedded PostgreSQL cannot use ${dataDir}${advice}: ${error.message}; ` +
      'choose another data directory, or set DATABASE_URL.',
  );
}
