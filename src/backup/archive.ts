/** Version of the format below; a program reads only its own version. */
export const FORMAT = 1;

/**
 * Entries of a backup, a tar archive compressed with gzip, in this order: `backup.json`, the files
 * of the cluster below `database/`, pictures below `pictures/`, `SHA256SUMS` with one line per
 * previous file (the format of `sha256sum -c`), and `complete.json`. Without the last entry the
 * archive is incomplete.
 */
export const INFO = 'backup.json';
export const DATABASE_FOLDER = 'database/';
export const PICTURES_FOLDER = 'pictures/';
export const SUMS = 'SHA256SUMS';
export const COMPLETE = 'complete.json';

/** The metadata at the start of a backup. */
export interface BackupInfo {
  readonly format: number;
  /** Start time, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Major version of PostgreSQL; only the same version can read the files. */
  readonly postgres: number;
  /** Whether the backup contains pictures; pictures in a bucket are not included. */
  readonly pictures: boolean;
}

/** The metadata at the end of a backup. */
export interface BackupTotals {
  /** Number of files of the database and the pictures, and their total uncompressed size. */
  readonly files: number;
  readonly pictures: number;
  readonly bytes: number;
  /** End time, ISO 8601 in UTC. */
  readonly finishedAt: string;
}

/** Thrown for an invalid archive; the message is for the operator. */
export class BackupError extends Error {}

/**
 * Whether a backup may contain a file or folder with this name, without its folder. All names of
 * PostgreSQL and of pictures are of this form. Backup files of editors (`postgresql.conf~`), folders
 * of network storages (`@eaDir`) and `lost+found` are not.
 */
export const isEntryName = (name: string): boolean =>
  /^[\w.-]+$/.test(name) && name !== '.' && name !== '..';

/** A line of {@link SUMS}. */
export const sumLine = (digest: string, name: string): string => `${digest}  ${name}\n`;
