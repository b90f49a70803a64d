import type { Stats } from 'node:fs';
import { chmod, lstat, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDirectory } from '../../config/directories';

/** The account that owns the cluster and runs the server, if not the account of this process. */
export interface Account {
  uid: number;
  gid: number;
}

/** Whether this process is root, which PostgreSQL refuses to run as. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account to run PostgreSQL as; undefined means the account of this process (any ordinary user,
 * and Windows). For root it is the owner of the existing cluster, else `postgres`, else `nobody`.
 *
 * @param cluster the existing cluster directory, if any
 * @throws Error when root finds no such account
 */
export async function serverAccount(cluster: string | undefined): Promise<Account | undefined> {
  if (!isRoot()) return undefined;
  if (cluster) {
    // The owner of the data stays: a start as root must not lock the owner out.
    const { uid, gid } = await stat(cluster);
    if (uid !== 0) return { uid, gid };
  }
  const entries = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = entries.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account postgres or nobody to run it. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether `account` may traverse the existing `directory` and its parents. */
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
 * A directory outside the data directory for files that PostgreSQL cannot use inside it. It is
 * created when missing, owned by the user of this process, not writable by others and accessible to
 * `account`. It is never a directory that the system empties. Other installations may use it, too.
 *
 * @param dataDir last choice for an ordinary user with a read-only home directory
 * @param wanted replaces the default choices
 * @throws Error when no directory can be created
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
    `Cannot create any of ${choices.join(', ')} for PostgreSQL, which cannot use ${dataDir} ` +
      'itself. Use a data directory that every account can access, or set DATABASE_URL.',
  );
}

async function makeOutside(path: string, account: Account | undefined): Promise<boolean> {
  try {
    const made = await createDirectory(path);
    // The umask may be stricter, but the account of the server must be able to traverse it.
    if (made !== undefined) await chmod(path, account ? 0o711 : 0o700);
    const found = await lstat(path);
    if (!found.isDirectory()) return false;
    // In a folder like /var/tmp another user could have created it, to tamper with its content.
    const uid = process.getuid?.();
    if (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) return false;
    return !account || (await canEnter(account, path));
  } catch {
    return false;
  }
}
