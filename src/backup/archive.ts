/** Version of the layout below; a program reads the one it knows. */
export const FORMAT = 1;

/**
 * Entries of a backup, a tar archive compressed with gzip, in this order: `backup.json`, the files
 * of the cluster below `database/`, pictures below `pictures/`, `SHA256SUMS` with a line for each
 * file before it (as `sha256sum -c` reads them), and `complete.json`, without which the archive was
 * cut off.
 */
export const INFO = 'backup.json';
export const DATABASE_FOLDER = 'database/';
export const PICTURES_FOLDER = 'pictures/';
export const SUMS = 'SHA256SUMS';
export const COMPLETE = 'complete.json';

/** What a backup says about itself before anything else. */
export interface BackupInfo {
  readonly format: number;
  /** When it was begun, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Major version of PostgreSQL, whose files only the same one reads. */
  readonly postgres: number;
  /** Whether pictures are in it; those in a bucket are not. */
  readonly pictures: boolean;
}

/** What a backup says about itself in the end. */
export interface BackupTotals {
  /** Files of the database and pictures, and their bytes together, uncompressed. */
  readonly files: number;
  readonly pictures: number;
  readonly bytes: number;
  /** When it was finished, ISO 8601 in UTC. */
  readonly finishedAt: string;
}

/** Thrown for an archive that cannot be used; the message is a sentence for the operator. */
export class BackupError extends Error {}

/** A line of {@link SUMS}. */
export const sumLine = (digest: string, name: string): string => `${digest}  ${name}\n`;
