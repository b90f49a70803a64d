import { type Stats } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isRoot } from '../database/embedded/account';
import { type ArchiveWriter } from './archive-writer';
import { BackupError, DATABASE_FOLDER, isEntryName } from './archive';

/** Folders whose content PostgreSQL recreates at startup (as in pg_basebackup). */
const WITHOUT_CONTENT = new Set([
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'],
  ...['pg_subtrans', 'pg_wal'],
]);

/** Files of the running server or of another backup (as in pg_basebackup). */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles|postgresql\.auto\.conf\.tmp|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+(_\w+)?(\.\d+)?)$/;

/** Its links are tablespaces. PostgreSQL lists them at the end of a backup, which then fails. */
const TABLESPACES = 'pg_tblspc';

/** Copied last, because it must not be older than the other files. */
const CONTROL_FILE = 'global/pg_control';
/** Maximum number of reads until two consecutive ones are equal. */
const CONTROL_TRIES = 100;

/**
 * Copies the files of a cluster into an archive, except the write-ahead log. Links to files and
 * folders are followed: the archive contains their content.
 * @param cluster path of the files
 * @returns paths below the cluster of the files and folders that were left out, because no file of
 *   PostgreSQL has such a name
 * @throws BackupError for a link whose target is missing, cannot be read or contains the link; for
 *   root, also if the target belongs to another account than the cluster
 */
export async function copyClusterFiles(cluster: string, archive: ArchiveWriter): Promise<string[]> {
  const copy = new ClusterCopy(cluster, archive);
  await copy.addFolderContent('', []);
  await copy.addControlFile();
  return copy.foreign;
}

class ClusterCopy {
  readonly foreign: string[] = [];

  constructor(
    private readonly cluster: string,
    private readonly archive: ArchiveWriter,
  ) {}

  /**
   * @param folder path below the cluster, '' for the cluster itself
   * @param linkFolders real paths of the folders that contain the links on the way to this folder
   */
  async addFolderContent(folder: string, linkFolders: readonly string[]): Promise<void> {
    const entries = await readdir(join(this.cluster, folder), { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const { name } = entry;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (LEFT_OUT.test(name) || isUnlogged(name, names)) continue;
      if (!isEntryName(name)) this.foreign.push(path);
      else if (!entry.isSymbolicLink()) await this.addEntry(path, entry, linkFolders);
      else if (folder !== TABLESPACES) await this.addLinkTarget(path, folder, linkFolders);
    }
  }

  /** The server may write the file concurrently, so two consecutive reads must be equal. */
  async addControlFile(): Promise<void> {
    const path = join(this.cluster, CONTROL_FILE);
    let last = await readFile(path);
    for (let tries = 0; tries < CONTROL_TRIES; tries++) {
      const next = await readFile(path);
      if (next.equals(last)) {
        await this.archive.addBytes(DATABASE_FOLDER + CONTROL_FILE, next);
        return;
      }
      last = next;
    }
    throw new BackupError(`${path} changes all the time.`);
  }

  /** Adds a file or folder. Sockets and named pipes are left out. */
  private async addEntry(
    path: string,
    found: Pick<Stats, 'isDirectory' | 'isFile'>,
    linkFolders: readonly string[],
  ): Promise<void> {
    if (found.isDirectory()) {
      await this.archive.addFolder(`${DATABASE_FOLDER}${path}/`);
      if (!WITHOUT_CONTENT.has(path)) await this.addFolderContent(path, linkFolders);
      else if (path === 'pg_wal') await this.addLogFolders();
    } else if (found.isFile() && path !== CONTROL_FILE) {
      // A table may be dropped meanwhile; the write-ahead log contains the drop.
      await this.archive.addFile(DATABASE_FOLDER + path, join(this.cluster, path));
    }
  }

  private async addLinkTarget(
    path: string,
    folder: string,
    linkFolders: readonly string[],
  ): Promise<void> {
    const link = join(this.cluster, path);
    const found = await statTarget(link);
    await requireOwnTarget(this.cluster, link);
    if (!found.isDirectory()) {
      await this.addEntry(path, found, linkFolders);
      return;
    }
    const target = await realpath(link);
    const containing = [...linkFolders, await realpath(join(this.cluster, folder))];
    if (containing.some((linkFolder) => isInside(linkFolder, target))) {
      throw new BackupError(`${link} links to ${target}, which contains the link.`);
    }
    await this.addEntry(path, found, containing);
  }

  private async addLogFolders(): Promise<void> {
    for (const name of ['archive_status', 'summaries']) {
      await this.archive.addFolder(`${DATABASE_FOLDER}pg_wal/${name}/`);
    }
  }
}

/**
 * Checks a file or link of a cluster before root follows it. The account of the cluster can create
 * links to any file, and must not receive the content of files of others through a backup of root.
 *
 * @throws BackupError when this process is root, and the path is a link whose target belongs to
 *   another account than the cluster
 */
export async function requireOwnTarget(cluster: string, path: string): Promise<void> {
  if (!isRoot() || !(await isLink(path))) return;
  if ((await stat(path)).uid === (await stat(cluster)).uid) return;
  throw new BackupError(
    `${path} is a link whose target belongs to another user than the database. Change the owner of ` +
      'the target, or remove the link.',
  );
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Whether an absolute path is a folder or inside it. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** @throws BackupError when the target is missing or cannot be read */
async function statTarget(link: string): Promise<Stats> {
  try {
    return await stat(link);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new BackupError(`${link} is a link whose target is missing.`);
    if (code === 'ELOOP') throw new BackupError(`${link} is a link that leads back to itself.`);
    throw new BackupError(`${link} is a link whose target cannot be read (${message}).`);
  }
}

/**
 * Whether a file belongs to an unlogged table, which is empty after recovery: only its init fork is
 * needed.
 */
function isUnlogged(name: string, names: ReadonlySet<string>): boolean {
  const [, relation] = /^(\d+)(?:_(?:fsm|vm))?(?:\.\d+)?$/.exec(name) ?? [];
  return relation !== undefined && names.has(`${relation}_init`);
}
