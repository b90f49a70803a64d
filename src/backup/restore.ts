import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { createDirectory } from '../config/directories';
import { type Settings } from '../config/settings';
import { flushDirectory } from '../database/embedded/cluster';
import { urlOf } from '../database/embedded/connection';
import { type Replacement, replaceCluster } from '../database/embedded/restore';
import { MIGRATIONS } from '../database/migrations';
import { DiskStorage } from '../images/disk-storage';
import { parseName } from '../images/picture-names';
import { BackupError, type BackupInfo } from './archive';
import { type ArchiveSink, readArchive, type ReadArchive } from './archive-reader';
import { requireEmbedded } from './create';

/** The result of a restore. */
export interface RestoredBackup {
  /** Start and end time of the backup, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly pictures: number;
  /** New location of the previous database. */
  readonly replaced?: string;
}

export interface RestoreOptions {
  /** Whether an existing database or pictures are allowed. */
  readonly replace: boolean;
  /** Ends the restore when aborted. */
  readonly signal: AbortSignal;
  /** For tests: see `EmbeddedOptions`. */
  readonly outsideDir?: string;
}

/**
 * Restores a backup to `DATA_DIR` and `PICTURES_DIR`. The files are first unpacked to temporary
 * folders and compared with their checksums, and the database is started and stopped once. Then one
 * rename moves the database into place. Pictures are added to the existing ones.
 * @throws Error with the reason; the existing database stays untouched then
 */
export async function restoreBackup(
  file: string,
  settings: Settings,
  { replace, signal, outsideDir }: RestoreOptions,
): Promise<RestoredBackup> {
  requireEmbedded(settings, 'Restore it with its own tools');
  await createDirectory(settings.dataDir);
  const dataDir = await realpath(settings.dataDir);
  const pictures = new PictureDraft(settings.picturesDir);
  return replaceCluster({ dataDir, outsideDir }, async (replacement) => {
    if (!replace) await requireEmpty(settings, replacement);
    await removeDrafts(settings.picturesDir);
    try {
      const archive = await readArchive(file, new Draft(replacement, pictures, signal));
      await replacement.trial((endpoint) => checkSchema(urlOf(endpoint)));
      signal.throwIfAborted();
      await pictures.install();
      return about(archive, await replacement.install());
    } finally {
      await pictures.remove();
    }
  });
}

function about({ info, finishedAt, pictures }: ReadArchive, replaced?: string): RestoredBackup {
  return { startedAt: info.startedAt, finishedAt, pictures, ...(replaced ? { replaced } : {}) };
}

async function requireEmpty(settings: Settings, { replaces }: Replacement): Promise<void> {
  const content = replaces
    ? `${settings.dataDir} already contains a database`
    : (await hasPictures(settings.picturesDir))
      ? `${settings.picturesDir} already contains pictures`
      : undefined;
  if (content) throw new BackupError(`${content}. Use --replace to move it out of the way.`);
}

async function hasPictures(folder: string): Promise<boolean> {
  for await (const _file of new DiskStorage(folder).list()) return true;
  return false;
}

/** @throws BackupError when a later version of the service wrote the database */
async function checkSchema(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const migrations = new Set(MIGRATIONS.map(({ name }) => name));
    const later = rows.find(({ name }) => !migrations.has(name));
    if (later) {
      throw new BackupError(
        `A later version of Commonplace created the backup (it has the migration ${later.name}).`,
      );
    }
  } finally {
    await client.end();
  }
}

/** Unpacks an archive into temporary folders for the cluster and the pictures. */
class Draft implements ArchiveSink {
  constructor(
    private readonly cluster: Replacement,
    private readonly pictures: PictureDraft,
    private readonly signal: AbortSignal,
  ) {}

  begin({ postgres }: BackupInfo): void {
    const { major } = this.cluster.binaries;
    if (postgres === major) return;
    throw new BackupError(
      `PostgreSQL ${postgres} created the backup, but the installed version is ${major}. Restore it with ` +
        'the earlier version of Commonplace, and export the data there.',
    );
  }

  async folder(path: string): Promise<void> {
    await mkdir(join(this.cluster.path, path), { recursive: true, mode: 0o700 });
  }

  async file(
    place: 'database' | 'pictures',
    path: string,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    this.signal.throwIfAborted();
    const target =
      place === 'database' ? join(this.cluster.path, path) : await this.pictures.placeFor(path);
    // PostgreSQL flushes its own files during recovery.
    const ofDatabase = place === 'database';
    const mode = ofDatabase ? 0o600 : 0o666;
    const output = createWriteStream(target, { mode, flush: !ofDatabase });
    await pipeline(Readable.from(content), output);
  }
}

/** The name of a folder of unverified pictures. */
const DRAFT = /^\.restore-[0-9a-f]{16}$/;

/** Removes the folders that killed restores have left in the folder of the pictures. */
async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((entry) => DRAFT.test(entry))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Pictures in a temporary folder on the same disk, until the backup is verified. */
class PictureDraft {
  private readonly folder: string;
  private readonly storage: DiskStorage;
  private used = false;

  constructor(target: string) {
    this.folder = join(target, `.restore-${randomBytes(8).toString('hex')}`);
    this.storage = new DiskStorage(target);
  }

  /** @throws BackupError for an invalid picture name */
  async placeFor(name: string): Promise<string> {
    if (!parseName(name))
      throw new BackupError(`The backup contains a picture with an invalid name: ${name}.`);
    if (!this.used) await createDirectory(this.folder);
    this.used = true;
    return join(this.folder, name);
  }

  async install(): Promise<void> {
    if (!this.used) return;
    const folders = new Set<string>();
    for (const name of await readdir(this.folder)) {
      const place = this.storage.placeOf(name);
      const folder = dirname(place);
      await createDirectory(folder);
      await rename(join(this.folder, name), place);
      folders.add(folder);
    }
    for (const folder of folders) await flushDirectory(folder);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
