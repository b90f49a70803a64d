import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, open, readdir, realpath, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { ApiError } from '../api/errors/error-codes';
import { publishNew } from '../config/publish-file';
import { type Settings } from '../config/settings';
import { findCluster } from '../database/embedded/cluster';
import { openEmbedded } from '../database/embedded/embedded';
import { isAlive } from '../database/embedded/process';
import { DiskStorage } from '../images/disk-storage';
import { flush } from '../images/flush';
import { parseName } from '../images/picture-names';
import { NotMounted } from '../images/picture-storage';
import { BackupError, type BackupTotals, FORMAT, PICTURES_FOLDER } from './archive';
import { ArchiveWriter } from './archive-writer';
import { baseBackup } from './base-backup';
import { isInside } from './cluster-files';
import { withConnection } from './connection';
import { rememberBackup } from './last-backup';
import { majorVersion } from './postgres-version';

/** Free bytes that a backup leaves on the disk, which may also contain the database. */
const RESERVE = 64 * 1024 * 1024;
/** Bytes between two checks of the free space. */
const LOOK_EVERY = 8 * 1024 * 1024;
/** End of the name of an incomplete backup, after the id of the process that writes it. */
const DRAFT = '.unfinished';
const DRAFT_NAME = /^(.+)\.(\d+)\.unfinished$/;
/**
 * Milliseconds without a write after which a draft is abandoned, unless its process runs. Process
 * ids of other hosts and containers are not known here, and a backup writes all the time.
 */
const ABANDONED_MS = 3_600_000;
/** Milliseconds of a query about pictures. */
const QUERY_MS = 10_000;
/** Maximum number of names in a warning. */
const MAX_NAMES = 10;

/** The result of a backup. */
export interface CreatedBackup extends BackupTotals {
  readonly startedAt: string;
}

/**
 * Backs up the embedded database and the pictures of `PICTURES_DIR` while the server runs. The
 * backup contains everything committed before it started. The file gets its name when it is
 * complete.
 * @param out path of the file, which must not exist; or a stream, which is ended
 * @param signal ends the backup when aborted
 * @param warn receives a warning about files of other programs, which are left out; by default it
 *   is logged
 * @throws Error when there is no embedded database, or the backup fails
 */
export async function createBackup(
  settings: Settings,
  out: string | Writable,
  signal: AbortSignal,
  warn: (message: string) => void = logWarning,
): Promise<CreatedBackup> {
  requireEmbedded(settings, 'Back it up with its own tools');
  const { dataDir } = settings;
  const cluster = (await exists(dataDir)) ? await findCluster(dataDir) : undefined;
  if (cluster === undefined) {
    throw new BackupError(`There is no database in ${dataDir}. Check DATA_DIR.`);
  }
  if (typeof out === 'string') await requireOutside(out, [cluster, settings.picturesDir]);
  const created = await (typeof out === 'string'
    ? intoFile(resolve(out), (stream, beforeChunk) =>
        writeBackup(
          settings,
          stream,
          async () => {
            signal.throwIfAborted();
            await beforeChunk();
          },
          signal,
          warn,
        ),
      )
    : writeBackup(settings, out, () => signal.throwIfAborted(), signal, warn));
  // The backup is complete, even if the console cannot show its time.
  await rememberBackup(dataDir).catch(() => undefined);
  return created;
}

const logWarning = (message: string): void => {
  new Logger('Backup').warn(message);
};

/**
 * @throws BackupError when a backup would be written to a folder that it contains: later backups
 *   would contain it, and this one a part of itself
 */
async function requireOutside(out: string, folders: readonly string[]): Promise<void> {
  const parent = dirname(resolve(out));
  const realParent = await realpath(parent).catch(() => parent);
  for (const folder of folders) {
    const realFolder = await realpath(folder).catch(() => folder);
    if (!isInside(realParent, realFolder)) continue;
    throw new BackupError(
      `${out} is inside ${folder}, which backups contain. Choose another folder.`,
    );
  }
}

/** @throws BackupError when the database is not the embedded one */
export function requireEmbedded({ DATABASE_URL }: Settings, advice: string): void {
  if (DATABASE_URL === undefined) return;
  throw new BackupError(
    `DATABASE_URL points to an external PostgreSQL server. ${advice} ` +
      '(pgBackRest, WAL-G or pg_dump; see docs/backup.md).',
  );
}

async function writeBackup(
  settings: Settings,
  destination: Writable,
  beforeChunk: () => void | Promise<void>,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<CreatedBackup> {
  const startedAt = new Date().toISOString();
  const embedded = await openEmbedded({ dataDir: settings.dataDir });
  const archive = new ArchiveWriter(destination, beforeChunk);
  try {
    signal.throwIfAborted();
    const cluster = (await findCluster(settings.dataDir)) ?? '';
    const postgres = await majorVersion(cluster);
    const pictures = settings.PICTURES_S3_BUCKET === undefined;
    const storage = new DiskStorage(settings.picturesDir);
    const folderId = pictures ? await storage.findFolderId() : undefined;
    if (pictures) await requirePictures(storage, settings.picturesDir, embedded.url, signal);
    await archive.begin({ format: FORMAT, startedAt, postgres, pictures });
    const foreign = await baseBackup(embedded.url, cluster, archive, signal);
    if (foreign.length > 0) warn(foreignFilesWarning(foreign));
    // After the database, because picture files never change and unreferenced ones do no harm.
    if (pictures) {
      await addPictures(storage, archive);
      // It may have been unmounted meanwhile.
      await storage.requireSameFolder(folderId);
      await requirePictures(storage, settings.picturesDir, embedded.url, signal);
    }
    return { startedAt, ...(await archive.finish()) };
  } catch (error) {
    await archive.abort();
    // The lost connection is only a consequence.
    signal.throwIfAborted();
    throw isNotMounted(error) ? wasUnmounted(settings.picturesDir) : error;
  } finally {
    await embedded.release();
  }
}

/** A warning about files and folders that no backup contains. */
function foreignFilesWarning(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMES).map((path) => JSON.stringify(path));
  const more = paths.length > MAX_NAMES ? `, and ${paths.length - MAX_NAMES} more` : '';
  return `These files are not in the backup, because PostgreSQL has no such names: ${names.join(', ')}${more}`;
}

/** @throws BackupError when the folder of pictures has none, although the database has some */
async function requirePictures(
  storage: DiskStorage,
  folder: string,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await storage.mayBeUnmounted())) return;
  const hasUses = await withConnection(
    url,
    signal,
    async (client) => {
      const tables = await client.query(`SELECT 1 WHERE to_regclass('picture_uses') IS NOT NULL`);
      if (tables.rows.length === 0) return false;
      return (await client.query('SELECT 1 FROM picture_uses LIMIT 1')).rows.length > 0;
    },
    QUERY_MS,
  );
  if (!hasUses) return;
  throw new BackupError(
    `${folder} has no pictures, but the database references some. Is the file system mounted? ` +
      'If the pictures are lost, create the folder 00 in it.',
  );
}

const isNotMounted = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof NotMounted;

const wasUnmounted = (folder: string): BackupError =>
  new BackupError(
    `${folder} was unmounted or replaced during the backup. Is the file system mounted?`,
  );

/** @throws ApiError 999 with 503 when the storage is unavailable or unmounted meanwhile */
async function addPictures(storage: DiskStorage, archive: ArchiveWriter): Promise<void> {
  for await (const { name } of storage.list()) {
    // The sweeper may delete an unused picture concurrently.
    if (parseName(name)) await archive.addFile(PICTURES_FOLDER + name, storage.placeOf(name));
  }
}

/**
 * Writes a file under a temporary name that only its owner can read, because it contains secrets.
 * @param work receives a callback for each write, which throws when the disk becomes full
 */
async function intoFile<T>(
  path: string,
  work: (stream: Writable, beforeChunk: () => Promise<void>) => Promise<T>,
): Promise<T> {
  if (await exists(path)) throw alreadyExists(path);
  await deleteAbandonedDrafts(path);
  // Another process may back up to the same path: each has a draft of its own.
  const draft = `${path}.${process.pid}${DRAFT}`;
  const stream = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
  await once(stream, 'open');
  let checkedAt = -LOOK_EVERY;
  const beforeChunk = async (): Promise<void> => {
    if (stream.bytesWritten - checkedAt < LOOK_EVERY) return;
    checkedAt = stream.bytesWritten;
    const { bavail, bsize } = await statfs(dirname(path));
    if (bavail * bsize < RESERVE) {
      throw new BackupError(`The disk of ${path} is almost full: less than 64 MB are free.`);
    }
  };
  try {
    const result = await work(stream, beforeChunk);
    const file = await open(draft);
    await file.sync().finally(() => file.close());
    // Another process may have completed the same backup.
    if (!(await publishNew(draft, path))) throw alreadyExists(path);
    await flush(dirname(path));
    return result;
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

const alreadyExists = (path: string): BackupError => new BackupError(`${path} already exists.`);

/**
 * Deletes drafts in the folder of a backup that killed processes left: those of the same backup, and
 * those of others, whose names often contain another date, when nothing was written for an hour.
 */
async function deleteAbandonedDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    const [, backup, pid] = DRAFT_NAME.exec(name) ?? [];
    if (backup === undefined) continue;
    const draft = join(folder, name);
    const isOwnId = Number(pid) === process.pid;
    if (!isOwnId && (await isAlive(Number(pid)))) continue;
    const isSameBackup = backup === basename(path) && !isOwnId;
    if (isSameBackup || (await isOld(draft)))
      await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Whether nothing was written to a file for an hour. */
async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
