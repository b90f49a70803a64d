import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { createDirectory } from '../../config/directories';
import { isRoot } from './account';

/** Path of the lock for starting and stopping the server of a data directory. */
export const lockIn = (dataDir: string): string => join(dataDir, 'postgres.lock');

/** Resolves links: PostgreSQL uses real paths, and two names of a directory must be equal. */
export async function resolveDataDir(dataDir: string): Promise<string> {
  if (!isAbsolute(dataDir)) throw new Error(`The data directory ${dataDir} must be absolute.`);
  await createDirectory(dataDir);
  return realpath(dataDir);
}

/** Converts errors of the file system to a sentence with advice. */
export function explained(error: NodeJS.ErrnoException, dataDir: string): Error {
  if (error.syscall === undefined) return error;
  const advice = isRoot() ? '' : ' (does it belong to another user?)';
  return new Error(
    `The embedded PostgreSQL cannot use ${dataDir}${advice}: ${error.message}. ` +
      'Choose another data directory, or set DATABASE_URL.',
  );
}
