import { mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isRoot, outsideDirectory } from './embedded-account';
import { findBinaries } from './embedded-binaries';
import { findCluster, prepareCluster, readPassword, removeOutside } from './embedded-cluster';
import {
  connectWhenReady,
  ensureDatabase,
  type Endpoint,
  type Holder,
  isInUse,
  urlOf,
} from './embedded-connection';
import { withLock } from './embedded-lock';
import { findPostmaster, READY_MS, startPostmaster, stopPostmaster } from './embedded-postmaster';

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
}

/** A PostgreSQL server of this machine, held by this process. */
export interface EmbeddedServer {
  /** postgres://user:password@127.0.0.1:port/commonplace; the user may do anything. */
  url: string;
  /** True when this call started the server, false when it attached to one already up. */
  started: boolean;
  /**
   * To be called when this process's connections are closed. Stops the server, and waits until it
   * is gone, unless somebody else is connected: the last one out turns off the light, whoever
   * started it. Idempotent.
   *
   * @throws Error when the server does not stop within a minute.
   */
  release(): Promise<void>;
}

interface Session {
  holder: Holder;
  endpoint: Endpoint;
  started: boolean;
}

/**
 * Starts PostgreSQL on the data of `options.dataDir`, making the cluster and the database
 * `commonplace` when they are missing, or attaches to the server that already runs on it. Any
 * number of processes may do so at once; there is never more than one server. It does not keep
 * the process alive, and it outlives a process that ends without calling `release`.
 *
 * @throws Error with one sentence that says what is wrong, such as a platform for which there is
 * no PostgreSQL, or a server that does not start (then with the end of its log).
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const settled = { ...options, dataDir: await settle(options.dataDir) };
    const lock = lockIn(settled.dataDir);
    const session = await withLock(lock, () => enter(settled));
    const release = (): Promise<void> =>
      withLock(lock, () => leave(settled, session.holder)).finally(() => session.holder.close());
    let leaving: Promise<void> | undefined;
    return {
      url: urlOf(session.endpoint),
      started: session.started,
      release: () => (leaving ??= release()),
    };
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, options.dataDir);
  }
}

const lockIn = (dataDir: string): string => join(dataDir, 'postgres.lock');

/** PostgreSQL itself only deals in real paths; so two names of one directory also mean the same. */
async function settle(dataDir: string): Promise<string> {
  if (!isAbsolute(dataDir)) throw new Error(`The data directory ${dataDir} must be absolute.`);
  await mkdir(dataDir, { recursive: true });
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
    await session.holder.close();
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

async function start(options: EmbeddedOptions): Promise<Session> {
  const cluster = await prepareCluster(options);
  const log = join(options.dataDir, 'postgres.log');
  const server = await startPostmaster(cluster, log, options.disposable === true);
  return { ...server, started: true };
}

/** Lets go of the server and stops it when nobody else holds it; under the lock. */
async function leave(options: EmbeddedOptions, holder: Holder): Promise<void> {
  const { dataDir, disposable } = options;
  const cluster = await findCluster(dataDir);
  const running = cluster && (await findPostmaster(cluster));
  if (cluster && running) {
    if (!disposable && (await isHeld(cluster, holder))) return;
    await holder.close();
    await stopPostmaster(cluster, running.pid, () => pgCtl(options));
  }
  if (disposable && cluster) await removeOutside(dataDir);
}

async function isHeld(cluster: string, holder: Holder): Promise<boolean> {
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
  } catch {
    // It cannot say who uses it: better that it goes on than that somebody loses it.
    return true;
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
