import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, canEnter, outsideDirectory, serverAccount } from './account';
import { type Binaries, findBinaries } from './binaries';
import { entryExists } from './entry-exists';
import { findPostmaster } from './pid-file';
import { run } from './process';
import { draftPathOf } from './restored-names';

/** The database superuser, and the name of the database. */
export const USER = 'commonplace';
export const DATABASE = 'commonplace';

/** Inside the cluster, so that data and password stay together. */
const PASSWORD_FILE = 'commonplace.password';

/** PostgreSQL's own limit for a path is 1024 bytes (260 on Windows), file names included. */
const MAX_LENGTH = process.platform === 'win32' ? 160 : 900;

/** Where and how to create the cluster. */
export interface ClusterOptions {
  /** Absolute real path of the existing data directory; the cluster is `postgres` in it. */
  dataDir: string;
  /** Replaces the default directories outside the data directory. */
  outsideDir?: string;
  /** Whether the data may be lost; then nothing is flushed to the disk. */
  disposable?: boolean;
}

/** An initialised cluster, and how to run it. */
export interface Cluster {
  /** Real path of the cluster. */
  path: string;
  account: Account | undefined;
  binaries: Binaries;
}

/** Path of the cluster of a data directory, or of a link to it. */
export const linkIn = (dataDir: string): string => join(dataDir, 'postgres');
/** Path of a link to the future location of the cluster. */
export const draftLinkIn = (dataDir: string): string => join(dataDir, 'postgres.pending');

/**
 * The real path of the cluster of a data directory; undefined when there is none yet.
 *
 * @throws Error when the cluster is outside the data directory and no longer exists
 */
export async function findCluster(dataDir: string): Promise<string | undefined> {
  const link = linkIn(dataDir);
  if (!(await entryExists(link))) return undefined;
  try {
    return await realpath(link);
  } catch (error) {
    throw new Error(
      `The database of ${dataDir} was stored in ${await readlink(link)}, which no longer exists. Restore ` +
        `it, or remove ${link} to start with an empty database.`,
      { cause: error },
    );
  }
}

/**
 * The password of a cluster.
 *
 * @throws Error when it cannot be read
 */
export async function readPassword(cluster: string): Promise<string> {
  try {
    return (await readFile(join(cluster, PASSWORD_FILE), 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new Error(
      code === 'ENOENT'
        ? `The database in ${cluster} has lost its password file ${PASSWORD_FILE}.`
        : `The database in ${cluster} belongs to another user: start as that one, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Prepares the cluster for a start. Initialises it when it does not exist, and moves it outside the
 * data directory when the account of the server cannot use it there. Only one process may call it
 * at a time, while no server runs on the cluster.
 *
 * @throws Error when that is not possible
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir } = options;
  await finishMove(dataDir);
  const existing = await findCluster(dataDir);
  const account = await serverAccount(existing);
  const outside = (): Promise<string> => outsideDirectory(account, dataDir, options.outsideDir);
  const binaries = await findBinaries(account, outside);
  const fits = await canLiveIn(existing ?? linkIn(dataDir), account);
  const path =
    existing && fits ? existing : fits ? linkIn(dataDir) : join(await outside(), randomName());
  if (!fits) await announceMove(dataDir, path);
  if (!existing) await initialise(path, account, binaries, options.disposable === true);
  else if (!fits) await moveCluster(existing, path);
  if (!fits) await finishMove(dataDir);
  await checkVersion(path, binaries);
  await setOwner(path, account);
  return { path: await realpath(path), account, binaries };
}

/** Removes a cluster outside its data directory, and the link to it. */
export async function removeOutside(dataDir: string): Promise<void> {
  const link = linkIn(dataDir);
  if (!(await lstat(link)).isSymbolicLink()) return;
  await rm(await realpath(link), { recursive: true, force: true });
  await rm(link);
}

/** Whether a server with this account can use a cluster at this path. */
export async function canLiveIn(path: string, account: Account | undefined): Promise<boolean> {
  if (Buffer.byteLength(path) > MAX_LENGTH) return false;
  return !account || (await canEnter(account, dirname(path)));
}

/**
 * Records the future location of the cluster. If the process is killed in between, the next start
 * continues, and never uses an incomplete cluster.
 */
async function announceMove(dataDir: string, path: string): Promise<void> {
  await symlink(path, draftLinkIn(dataDir), 'junction');
}

/** Switches to the announced location if the cluster exists there, or removes the announcement. */
export async function finishMove(dataDir: string): Promise<void> {
  const draft = draftLinkIn(dataDir);
  if (!(await entryExists(draft))) return;
  const target = await readlink(draft);
  if ((await entryExists(target)) && !(await hasCluster(dataDir, target))) {
    await rename(draft, linkIn(dataDir));
  } else {
    await removeDrafts(target);
    await withdrawAnnouncement(dataDir, target);
  }
}

/**
 * Whether a data directory has a cluster, or a link to one. A link without a target is that of the
 * announced cluster if that was moved; otherwise the disk of its target may be missing.
 */
async function hasCluster(dataDir: string, announced: string): Promise<boolean> {
  const link = linkIn(dataDir);
  const isRestored = draftPathOf(announced, dataDir) !== undefined;
  return isRestored ? entryExists(link) : entryExists(await realpath(link).catch(() => ''));
}

/**
 * Removes the announcement of a cluster that the data directory does not use. A restored cluster on
 * which no server runs becomes a draft again, which the next restore deletes.
 *
 * @param target announced path, which need not exist
 */
export async function withdrawAnnouncement(dataDir: string, target: string): Promise<void> {
  const draft = draftPathOf(target, dataDir);
  if (draft !== undefined && (await isUnused(dataDir, target))) {
    // A cluster that stays there wastes space, but must not prevent the start.
    await rename(target, draft).catch(() => undefined);
  }
  await rm(draftLinkIn(dataDir));
}

/** Whether a cluster exists that neither the data directory nor a running server uses. */
async function isUnused(dataDir: string, cluster: string): Promise<boolean> {
  const [current, path] = await Promise.all(
    [linkIn(dataDir), cluster].map((entry) => realpath(entry).catch(() => undefined)),
  );
  if (path === undefined || path === current) return false;
  return findPostmaster(path).then(
    (server) => server === undefined,
    // A server may run there if its file cannot be read.
    () => false,
  );
}

async function moveCluster(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot use ${from} (its path is too long, or the account that runs it cannot access ` +
        `the path), and it cannot be moved to ${to} (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

/**
 * Creates a cluster under a temporary name and renames it when it is complete, so that an
 * incomplete one is never used. It removes leftovers of earlier attempts.
 */
async function initialise(
  path: string,
  account: Account | undefined,
  binaries: Binaries,
  disposable: boolean,
): Promise<void> {
  await removeDrafts(path);
  const draft = `${path}.new-${randomName()}`;
  const password = randomBytes(24).toString('base64url');
  const secret = `${draft}.password`;
  await mkdir(draft, { mode: 0o700 });
  await writeFile(secret, password, { mode: 0o600 });
  if (account) for (const entry of [draft, secret]) await chown(entry, account.uid, account.gid);
  const args = ['-D', draft, '-U', USER, `--pwfile=${secret}`, '--auth=scram-sha-256'];
  args.push('--encoding=UTF8', '--no-locale', '--no-instructions');
  if (disposable) args.push('--no-sync');
  const outcome = await run(binaries.initdb, args, { ...account, cwd: draft });
  if (outcome.code !== 0) {
    await removeDrafts(path);
    throw new Error(initFailure(dirname(path), outcome.output));
  }
  await rename(secret, join(draft, PASSWORD_FILE));
  await rename(draft, path);
  await flushDirectory(dirname(path));
}

function initFailure(directory: string, output: string): string {
  const lines = output.split('\n').filter((line) => /error|fatal|could not|cannot/i.test(line));
  const why = (lines.length > 0 ? lines : output.split('\n').slice(-3)).join(' ');
  return `A PostgreSQL database could not be made in ${directory}: ${why}`;
}

/** Removes leftovers of earlier attempts to create the cluster `path`, as far as possible. */
async function removeDrafts(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(`${basename(path)}.new-`))) {
    // An initdb whose parent was killed may still write there; the next start retries.
    const draft = join(dirname(path), name);
    await rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** @throws Error when another major version of PostgreSQL created the cluster */
export async function checkVersion(path: string, binaries: Binaries): Promise<void> {
  const made = Number.parseInt(await readFile(join(path, 'PG_VERSION'), 'utf8'), 10);
  if (made === binaries.major) return;
  throw new Error(
    `The database in ${path} was created by PostgreSQL ${made}, but the installed version is ` +
      `${binaries.major}. Install the earlier version again to export the data.`,
  );
}

/** PostgreSQL only accepts a cluster that its account owns and others cannot access. */
export async function setOwner(path: string, account: Account | undefined): Promise<void> {
  const found = await stat(path);
  if (process.platform !== 'win32' && (found.mode & 0o027) !== 0) await chmod(path, 0o700);
  if (account && found.uid !== account.uid) await chownTree(path, account);
}

async function chownTree(path: string, account: Account): Promise<void> {
  // The top directory comes last: its owner shows whether this was completed.
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await chownTree(inner, account);
    else await lchown(inner, account.uid, account.gid);
  }
  await chown(path, account.uid, account.gid);
}

/** Flushes the names in a directory to disk. */
export async function flushDirectory(path: string): Promise<void> {
  // Not possible on every platform (Windows), and not necessary for complete data.
  const directory = await open(path, 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

function randomName(): string {
  return randomBytes(8).toString('hex');
}
