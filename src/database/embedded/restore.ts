import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outsideDirectory, serverAccount } from './account';
import { findBinaries } from './binaries';
import {
  canLiveIn,
  checkVersion,
  type Cluster,
  type ClusterOptions,
  draftLinkIn,
  findCluster,
  finishMove,
  linkIn,
  setOwner,
} from './cluster';
import { type Endpoint } from './connection';
import { withLock } from './lock';
import { findPostmaster, startPostmaster, stopPostmaster } from './postmaster';

/** Milliseconds that a restored server may take to replay its log. */
const RECOVERY_MS = 3_600_000;

const DRAFT = /^restore-[0-9a-f]{16}$/;

/** A folder for a cluster that is to replace the one of a data directory. */
export interface Replacement extends Cluster {
  /** Whether there is a cluster that would be replaced. */
  readonly replaces: boolean;
  /**
   * Starts a server on it, on a port of its own, and stops it after `work`: it has replayed its log
   * then.
   *
   * @throws Error when it does not start; what `work` throws
   */
  trial<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T>;
  /**
   * Puts it in the place of the data directory's cluster, in one step.
   *
   * @returns where the replaced cluster is now; undefined when there was none
   */
  install(): Promise<string | undefined>;
}

/**
 * Lets `work` make a new cluster for a data directory, in an empty folder. No other process starts
 * a server on the directory meanwhile. The folder is removed when `work` does not install it.
 *
 * @throws Error when a server runs there; what `work` throws
 */
export async function replaceCluster<T>(
  options: ClusterOptions,
  work: (replacement: Replacement) => Promise<T>,
): Promise<T> {
  const { dataDir } = options;
  return withLock(join(dataDir, 'postgres.lock'), async () => {
    await finishMove(dataDir);
    const existing = await findCluster(dataDir);
    if (existing && (await findPostmaster(existing))) {
      throw new Error(`A server uses ${dataDir}: stop it first.`);
    }
    const account = await serverAccount(existing);
    const outside = (): Promise<string> => outsideDirectory(account, dataDir, options.outsideDir);
    const binaries = await findBinaries(account, outside);
    const parent = await parentFor(options, existing, account, outside);
    await removeDrafts(parent, existing);
    const path = join(parent, `restore-${randomBytes(8).toString('hex')}`);
    await mkdir(path, { mode: 0o700 });
    const cluster = { path, account, binaries };
    try {
      return await work({
        ...cluster,
        replaces: existing !== undefined,
        trial: (check) => tryOut(cluster, join(dataDir, 'postgres.log'), check),
        install: () => install(dataDir, path, existing),
      });
    } finally {
      if ((await findCluster(dataDir)) !== path) await rm(path, { recursive: true, force: true });
    }
  });
}

/** The folder that the new cluster is made in: where the data directory's own one is or would be. */
async function parentFor(
  { dataDir }: ClusterOptions,
  existing: string | undefined,
  account: Cluster['account'],
  outside: () => Promise<string>,
): Promise<string> {
  if (existing && existing !== linkIn(dataDir)) return dirname(existing);
  return (await canLiveIn(linkIn(dataDir), account)) ? dataDir : outside();
}

/** Removes what restores left that were killed. */
async function removeDrafts(parent: string, existing: string | undefined): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (DRAFT.test(name) && path !== existing) await rm(path, { recursive: true, force: true });
  }
}

async function tryOut<T>(
  cluster: Cluster,
  log: string,
  work: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  await checkVersion(cluster.path, cluster.binaries);
  await setOwner(cluster.path, cluster.account);
  const { holder, endpoint } = await startPostmaster(cluster, log, { readyMs: RECOVERY_MS });
  try {
    return await work(endpoint);
  } finally {
    await holder.close();
    const running = await findPostmaster(cluster.path);
    const pgCtl = (): Promise<string> => Promise.resolve(cluster.binaries.pgCtl);
    if (running) await stopPostmaster(cluster.path, running.pid, pgCtl);
  }
}

/**
 * The link that announces the new cluster makes this one step: killed in between, the next start
 * either finds the old cluster in its place, or takes the announced one.
 */
async function install(
  dataDir: string,
  path: string,
  existing: string | undefined,
): Promise<string | undefined> {
  const place = linkIn(dataDir);
  const isLink = await lstat(place).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  await symlink(path, draftLinkIn(dataDir), 'junction');
  let replaced = existing;
  if (existing !== undefined && !isLink) {
    replaced = `${place}.replaced-${new Date().toISOString().replaceAll(':', '')}`;
    await rename(place, replaced);
  }
  if (!isLink && dirname(path) === dataDir) {
    await rename(path, place);
    await rm(draftLinkIn(dataDir));
  } else {
    await rename(draftLinkIn(dataDir), place);
  }
  return replaced;
}
