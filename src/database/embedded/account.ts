import type { Stats } from 'node:fs';
import { chmod, lstat, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDirectory } from '../../config/directories';

/** The account that owns the cluster and runs the server, when that is not this process's own. */
export interface Account {
  uid: number;
  gid: number;
}

/** Whether this process is root, as whom PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account to run PostgreSQL as; undefined means this process's own (any ordinary user, and
 * Windows). For root it is the owner of the existing cluster, else `postgres`, else `nobody`.
 *
 * @param cluster the existing cluster directory, if there is one.
 * @throws Error when root has no such account to use.
 */
export async function serverAccount(cluster: string | undefined): Promise<Account | undefined> {
  if (!isRoot()) return undefined;
  if (cluster) {
    // Whoever made the data keeps it: root starting it once must not lock its owner out.
    const { uid, gid } = await stat(cluster);
    if (uid !== 0) return { uid, gid };
  }
  const entries = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = entries.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account postgres or nobody to run it as: ' +
      'start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether `account` may pass through the existing `directory` and everything above it. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  for (let at = directory; ; at = dirname(at)) {
    if (!maySearch(await stat(at), account)) return false;
    if (dirname(at) === at) return true;
  }
}

function maySearch(found: Stats, account: Account): boolean {
  if (found.uid === account.uid) return (found.mode & 0o100) !== 0;
  if (found.gid === account.gid) return (found.mode & 0o010) !== 0;
  return (found.mode & 0o001) !== 0;
}

/**
 * A directory outside the data directory, made when missing, for what cannot be kept in place:
 * owned by this process's user, writable by nobody else and open to `account`. Never a directory
 * that the system empties.
 *
 * @param dataDir the last choice of an ordinary user whose home cannot be written.
 * @param wanted takes the place of the usual choices.
 * @throws Error when none can be made.
 */
export async function outsideDirectory(
  account: Account | undefined,
  dataDir: string,
  wanted?: string,
): Promise<string> {
  const own = [join(process.env.LOCALAPPDATA ?? homedir(), '.commonplace'), dataDir];
  const system = ['/var/lib/commonplace', '/var/tmp/commonplace'];
  const choices = wanted ? [wanted] : account ? system : own;
  for (const path of choices) if (await makeOutside(path, account)) return path;
  throw new Error(
    `None of ${choices.join(', ')} can be made for PostgreSQL, which cannot use ${dataDir} ` +
      'itself: use a data directory that every account may enter, or set DATABASE_URL.',
  );
}

async function makeOutside(path: string, account: Account | undefined): Promise<boolean> {
  try {
    const made = await createDirectory(path);
    // The process's umask may be stricter; the server's account must be able to pass.
    if (made !== undefined) await chmod(path, account ? 0o711 : 0o700);
    const found = await lstat(path);
    if (!found.isDirectory()) return false;
    // In a folder like /var/tmp anybody could have made it first, to change what is put there.
    const uid = process.getuid?.();
    if (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) return false;
    return !account || (await canEnter(account, path));
  } catch {
    return false;
  }
}
