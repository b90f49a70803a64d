import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { OperationError } from '../../api/errors/error-codes';
import { createDirectory } from '../../config/directories';
import { UNFINISHED_SUFFIX } from '../engine/unfinished-file';
import { type Job } from './job';
import { unlessUnavailable } from './unavailable-storage';

/** Names of files in TRANSFER_DIR: no folders and no hidden files. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** Whether a text is a valid name of a complete file or folder in TRANSFER_DIR. */
export const isTransferName = (name: string): boolean =>
  NAME.test(name) && !name.endsWith(UNFINISHED_SUFFIX);

/** The error for a file that is not in TRANSFER_DIR. */
export const missingTransfer = (name: string): string =>
  `there is no file '${name}' in TRANSFER_DIR`;

/**
 * The path of the file of a job in TRANSFER_DIR, which is created if it is missing.
 * @throws Error for an invalid name, a file of an import that is missing or outside, or a disk that
 * is unavailable
 */
export async function resolveTransfer(
  folder: string,
  { path, type }: Pick<Job, 'path' | 'type'>,
): Promise<string> {
  if (!isTransferName(path)) throw new Error('the path is not a valid name');
  await createDirectory(folder);
  return type === 'export' ? join(folder, path) : requireInside(folder, path);
}

/**
 * The path of a file or folder in TRANSFER_DIR.
 * @throws OperationError when it does not exist, or is a symbolic link that leads outside
 * @throws Error of the file system when the disk is unavailable, or TRANSFER_DIR is missing
 */
async function requireInside(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const [home, real] = await Promise.all([
    realpath(folder),
    realpath(path).catch(unlessUnavailable),
  ]);
  if (real === undefined) throw new OperationError(missingTransfer(name));
  rejectOutside(home, real);
  return path;
}

function rejectOutside(folder: string, path: string): void {
  const inside = relative(folder, path);
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new OperationError('the path is outside of TRANSFER_DIR');
}

/**
 * Checks the folder of a full export of a server: a link can replace it while files are written.
 * @throws OperationError when it is outside of TRANSFER_DIR
 * @throws Error of the file system, for example when it or TRANSFER_DIR is missing
 */
export async function requireExportInside(
  folder: string,
  { type, kind, path, from_cli }: Pick<Job, 'type' | 'kind' | 'path' | 'from_cli'>,
): Promise<void> {
  if (type !== 'export' || kind !== 'all' || from_cli) return;
  const [home, real] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
  rejectOutside(home, real);
}
