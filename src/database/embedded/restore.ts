import { lstat, mkdir, readdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { outsideDirectory, serverAccount } from './account';
import { type Binaries, findBinaries } from './binaries';
import {
  canLiveIn,
  checkVersion,
  type Cluster,
  type ClusterOptions,
  draftLinkIn,
  findCluster,
  flushDirectory,
  finishMove,
  linkIn,
  setOwner,
  withdrawAnnouncement,
} from './cluster';
import { type Endpoint } from './connection';
import { entryExists } from './entry-exists';
import { withLock } from './lock';
import { findPostmaster } from './pid-file';
import { startPostmaster, stopCluster } from './postmaster';
import { installedPathOf, isDraftName, newDraftName } from './restored-names';

/** Milliseconds for a restored server to replay its log. */
const RECOVERY_MS = 3_600_000;

/** A folder for a cluster that will replace the cluster of a data directory. */
export interface Replacement extends Cluster {
  /** Whether an existing cluster would be replaced. */
  readonly replaces: boolean;
  /**
   * Starts a server on it, which replays its log, on a separate port, and stops it after `work`.
   *
   * @throws Error when it does not start; errors of `work`
   */
  trial<T>(work: (endpoint: Endpoint) => Promise<T>): Promise<T>;
  /**
   * Replaces the data directory's cluster atomically.
   *
   * @returns path of the replaced cluster; undefined when there was none
   * @throws Error when the new cluster cannot be moved. The replaced cluster is then moved back, or
   *   the message has its path.
   */
  install(): Promise<string | undefined>;
}

/**
 * Runs `work`, which creates a cluster for a data directory in an empty folder. No other process
 * can start a server on the directory meanwhile. The folder is removed if `work` does not install
 * it.
 *
 * @throws Error when a server runs there; errors of `work`
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
      throw new Error(`A server uses ${dataDir}. Stop it first.`);
    }
    const account = await serverAccount(existing);
    const outside = (): Promise<string> => outsideDirectory(account, dataDir, options.outsideDir);
    const binaries = await findBinaries(account, outside);
    // The server records the real path, by which a later restore finds a server that still runs.
    const parent = await realpath(await parentFor(options, existing, account, outside));
    await removeDrafts(parent, dataDir, binaries);
    const path = join(parent, newDraftName(dataDir));
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
      // An installed cluster has another name.
      await removeDraft(path, binaries);
    }
  });
}

/** The parent folder of the new cluster: that of the data directory's cluster. */
async function parentFor(
  { dataDir }: ClusterOptions,
  existing: string | undefined,
  account: Cluster['account'],
  outside: () => Promise<string>,
): Promise<string> {
  if (existing && existing !== linkIn(dataDir)) return dirname(existing);
  return (await canLiveIn(linkIn(dataDir), account)) ? dataDir : outside();
}

/** Removes leftovers of killed restores of a data directory. */
async function removeDrafts(parent: string, dataDir: string, binaries: Binaries): Promise<void> {
  for (const name of await readdir(parent)) {
    if (isDraftName(name, dataDir)) await removeDraft(join(parent, name), binaries);
  }
}

/**
 * Removes a draft, if it exists. A server may still run on it, if its restore was killed.
 *
 * @throws Error when the server does not stop; the draft then stays
 */
async function removeDraft(path: string, binaries: Binaries): Promise<void> {
  await stopCluster({ path, binaries });
  await rm(path, { recursive: true, force: true });
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
    await stopCluster(cluster);
  }
}

/**
 * The link that announces the new cluster makes this atomic: after a kill in between, the next
 * start uses either the old or the announced cluster.
 */
async function install(
  dataDir: string,
  path: string,
  existing: string | undefined,
): Promise<string | undefined> {
  const place = linkIn(dataDir);
  const installed = installedPathOf(path, dataDir);
  const isLink = await lstat(place).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  // Each step must be on the disk before the next one, also when the power fails. The announcement
  // comes first: without it, no later restore would find a cluster that is no draft any more.
  await symlink(installed, draftLinkIn(dataDir), 'junction');
  await flushDirectory(dataDir);
  const movesAside = existing !== undefined && !isLink;
  const aside = `${place}.replaced-${new Date().toISOString().replaceAll(':', '')}`;
  const movesFolder = !isLink && dirname(path) === dataDir;
  try {
    await rename(path, installed);
    await flushDirectory(dirname(path));
    if (movesAside) {
      await rename(place, aside);
      await flushDirectory(dataDir);
    }
    await rename(movesFolder ? installed : draftLinkIn(dataDir), place);
  } catch (error) {
    const outcome = await undoInstall(dataDir, installed, movesAside ? aside : undefined);
    throw new Error(
      `The restored database cannot be moved to ${place} (${(error as Error).message}).${outcome}`,
      { cause: error },
    );
  }
  // The next start removes an announcement of a moved folder.
  if (movesFolder) await rm(draftLinkIn(dataDir)).catch(() => undefined);
  await flushDirectory(dataDir);
  return movesAside ? aside : existing;
}

/**
 * Moves the existing cluster back and withdraws the announcement of the new one.
 *
 * @param installed announced path of the new cluster
 * @param aside path of the existing cluster if it may have been moved
 * @returns a sentence about the existing cluster, if it cannot be moved back
 */
async function undoInstall(
  dataDir: string,
  installed: string,
  aside: string | undefined,
): Promise<string> {
  try {
    if (aside !== undefined && !(await entryExists(linkIn(dataDir)))) {
      await rename(aside, linkIn(dataDir));
    }
  } catch (error) {
    // Without the announcement, the next start would create an empty database.
    return (
      ` The previous database is in ${aside} and cannot be moved back (${(error as Error).message}).` +
      ` The next start uses the restored one in ${installed}.`
    );
  }
  await flushDirectory(dataDir);
  // If the announcement stays, the next start ignores it beside an existing cluster.
  await withdrawAnnouncement(dataDir, installed).catch(() => undefined);
  return '';
}
