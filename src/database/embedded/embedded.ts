import { type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { outsideDirectory } from './account';
import { findBinaries } from './binaries';
import { findCluster, prepareCluster, readPassword, removeOutside } from './cluster';
import {
  connectWhenReady,
  ensureDatabase,
  type Endpoint,
  KeepAliveConnection,
  isInUse,
  isUnresponsive,
  urlOf,
} from './connection';
import { explained, lockIn, resolveDataDir } from './data-dir';
import { LockFileError, withLock } from './lock';
import { findPostmaster, type Postmaster } from './pid-file';
import { hasOtherClients } from './ports';
import { READY_MS, startPostmaster, type StartOptions } from './postmaster';
import { escalateToFastShutdown, stopPostmaster } from './shutdown';
import { stopOnExit } from './stop-on-exit';
import { type Recovery, Supervisor } from './supervisor';

/** Location and durability of the data of the embedded PostgreSQL. */
export interface EmbeddedOptions {
  /**
   * DATA_DIR as an absolute path, created when missing. It contains the cluster `postgres` and the
   * server log `postgres.log`. When the account of the server cannot use this location (root's
   * home, paths of more than 900 bytes), `postgres` is a link to the cluster outside.
   */
  dataDir: string;
  /**
   * For tests: fast instead of durable (a power failure may destroy the data). `release` always
   * stops the server, even if others use it, and removes a cluster outside the data directory.
   */
  disposable?: boolean;
  /**
   * For tests: replaces the directories outside DATA_DIR, which are /var/lib/commonplace or
   * /var/tmp/commonplace for root, and ~/.commonplace for other users.
   */
  outsideDir?: string;
  /**
   * Called with a sentence for the log when the server is lost, cannot be restarted, or is back.
   * Not called for a disposable server, which is not restarted.
   */
  log?: (message: string) => void;
  /** Called when the process of a server that is started exists, before it accepts connections. */
  onLaunch?: () => void;
  /** When it is aborted, no server is started; `openEmbedded` rejects with its reason. */
  signal?: AbortSignal;
}

/** A local PostgreSQL server that this process uses. */
export interface EmbeddedServer {
  /** postgres://user:password@127.0.0.1:port/commonplace; the user is a superuser. */
  url: string;
  /** Whether this call started the server, or attached to a running one. */
  started: boolean;
  /**
   * Disconnects from the server. The last process to disconnect stops it and waits for its end;
   * this also ends sessions that this process has left open. Idempotent.
   *
   * @throws Error when the server does not stop within a minute
   */
  release(): Promise<void>;
}

/** SQLSTATE of a server that accepts no more sessions. */
const TOO_MANY_CONNECTIONS = '53300';

interface Session {
  holder: KeepAliveConnection;
  endpoint: Endpoint;
  started: boolean;
}

/**
 * Starts PostgreSQL on the data of `options.dataDir`, or attaches to a server that already runs on
 * it. It creates a missing cluster and the database `commonplace`. Any number of processes may call
 * it at once; there is never more than one server. The server does not keep the process alive, and
 * outlives a process that ends without `release`. When it dies, one of the processes that use it
 * restarts it at the same address.
 *
 * @throws Error with a one-sentence message, for example for a platform without PostgreSQL, or a
 * server that does not start (with the end of its log)
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const resolved = { ...options, dataDir: await resolveDataDir(options.dataDir) };
    const lock = lockIn(resolved.dataDir);
    const { holder, endpoint, started } = await withLock(lock, () =>
      stopOnExit((onLaunch) => enter(resolved, onLaunch)),
    ).catch((error: unknown) => attachWithoutLock(resolved, error));
    const recovery = options.disposable ? undefined : recoveryOf(resolved, endpoint);
    const supervisor = new Supervisor(holder, recovery, options.log ?? (() => undefined));
    let leaving: Promise<void> | undefined;
    return {
      url: urlOf(endpoint),
      started,
      release: () => (leaving ??= release(resolved, endpoint, supervisor)),
    };
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, options.dataDir);
  }
}

async function release(
  options: EmbeddedOptions,
  endpoint: Endpoint,
  supervisor: Supervisor,
): Promise<void> {
  await supervisor.end();
  const { holder } = supervisor;
  // Before the lock, so that processes that leave at the same time wait at the same time.
  const state = { holder, isServerUnresponsive: await isUnresponsive(holder, endpoint) };
  const work = (): Promise<void> => leave(options, state);
  try {
    await withLock(lockIn(options.dataDir), work);
  } catch (error) {
    // On a full or read-only disk there is no lock file, but the server must still be stopped.
    if (!(error instanceof LockFileError)) throw error;
    await work();
  } finally {
    await holder.close();
  }
}

/** Recovers the server of a data directory at its earlier address. */
function recoveryOf(options: EmbeddedOptions, endpoint: Endpoint): Recovery {
  const running = async (): ReturnType<typeof findPostmaster> => {
    const cluster = await findCluster(options.dataDir);
    // It must not start with an empty database instead.
    if (!cluster) throw new Error(`The database of ${options.dataDir} no longer exists.`);
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
        : (await stopOnExit((onLaunch) => start(options, { port: endpoint.port, onLaunch })))
            .holder,
    );
  };
  return {
    connect: () => KeepAliveConnection.connect(endpoint),
    escalateToFastShutdown: async () => {
      const cluster = await findCluster(options.dataDir);
      return cluster !== undefined && escalateToFastShutdown(cluster, () => pgCtl(options));
    },
    isRunning: async () => (await running()) !== undefined,
    start: (adopt) => withLock(lockIn(options.dataDir), () => begin(adopt)),
  };
}

/** Attaches to the server or starts it; under the lock. */
async function enter(
  options: EmbeddedOptions,
  launched: (server: ChildProcess) => void,
): Promise<Session> {
  const cluster = await findCluster(options.dataDir);
  const found = cluster ? await findPostmaster(cluster) : undefined;
  const onLaunch = (server: ChildProcess): void => {
    launched(server);
    options.onLaunch?.();
  };
  // If it stops meanwhile, other processes know it by its port.
  const session =
    (cluster && found && (await attach(options, cluster))) ||
    (await start(options, { lastPort: found?.port, onLaunch, signal: options.signal }));
  try {
    // Also after attaching: the process that started it may have been killed before this step.
    await ensureDatabase(session.holder);
    return session;
  } catch (error) {
    await leave(options, { holder: session.holder, isServerUnresponsive: false }).catch(
      () => undefined,
    );
    throw error;
  }
}

/**
 * Attaches to a running server when the lock file cannot be created, for example on a full disk, so
 * that a killed worker can be replaced.
 * @throws the given error when it has another cause or no server runs
 */
async function attachWithoutLock(options: EmbeddedOptions, error: unknown): Promise<Session> {
  const cluster = error instanceof LockFileError ? await findCluster(options.dataDir) : undefined;
  const session = cluster && (await attach(options, cluster));
  if (!session) throw error;
  return session;
}

/**
 * Attaches to the server that runs on a cluster; undefined when there is none, or when it stops
 * because somebody has told it to.
 */
async function attach(options: EmbeddedOptions, cluster: string): Promise<Session | undefined> {
  const running = await findPostmaster(cluster);
  if (!running) return undefined;
  const endpoint = { port: running.port, password: await readPassword(cluster) };
  const isRunning = async (): Promise<boolean> => {
    await escalateToFastShutdown(cluster, () => pgCtl(options));
    return (await findPostmaster(cluster)) !== undefined;
  };
  const holder = await connectWhenReady(endpoint, isRunning, READY_MS);
  return holder && { holder, endpoint, started: false };
}

async function start(
  options: EmbeddedOptions,
  {
    signal,
    ...more
  }: Pick<StartOptions, 'port' | 'lastPort' | 'onLaunch'> & Pick<EmbeddedOptions, 'signal'>,
): Promise<Session> {
  const cluster = await prepareCluster(options);
  signal?.throwIfAborted();
  const log = join(options.dataDir, 'postgres.log');
  const disposable = options.disposable === true;
  const server = await startPostmaster(cluster, log, { disposable, ...more });
  return { ...server, started: true };
}

/** The connection of the process that disconnects, and whether the server responds. */
interface DisconnectState {
  readonly holder: KeepAliveConnection;
  readonly isServerUnresponsive: boolean;
}

/**
 * Disconnects, and stops the server when no other process uses it; under the lock, so that the
 * second of two leaving processes does not see the first.
 */
async function leave(options: EmbeddedOptions, state: DisconnectState): Promise<void> {
  const { dataDir, disposable, log } = options;
  const cluster = await findCluster(dataDir);
  const running = cluster && (await findPostmaster(cluster));
  if (cluster && running) {
    const inUse = !disposable && (await isHeld(options, cluster, running, state));
    await state.holder.close();
    if (inUse) return;
    const isKilled = await stopPostmaster(cluster, running.pid, () => pgCtl(options));
    if (isKilled) log?.('The embedded PostgreSQL did not respond, and was killed.');
  }
  if (disposable && cluster) await removeOutside(dataDir);
}

async function isHeld(
  options: EmbeddedOptions,
  cluster: string,
  { port }: Postmaster,
  { holder, isServerUnresponsive }: DisconnectState,
): Promise<boolean> {
  const hasOthers = isServerUnresponsive ? await hasOtherClients(port) : undefined;
  if (hasOthers !== undefined) return hasOthers;
  try {
    return await isInUse(holder);
  } catch {
    // A session or the server crashed meanwhile, so query the current server. Our holder must not
    // reconnect, because it would count as that of another process.
    await holder.close();
    if (isServerUnresponsive) return false;
  }
  try {
    const session = await attach(options, cluster);
    if (!session) return false;
    session.holder.expectOthers();
    return await isInUse(session.holder).finally(() => session.holder.close());
  } catch (error) {
    // A server without free connections is in use. Otherwise it hangs or still recovers: nothing
    // uses it, and other processes will restart it.
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === TOO_MANY_CONNECTIONS;
  }
}

async function pgCtl({ dataDir, outsideDir }: EmbeddedOptions): Promise<string> {
  const outside = (): Promise<string> => outsideDirectory(undefined, dataDir, outsideDir);
  return (await findBinaries(undefined, outside)).pgCtl;
}
