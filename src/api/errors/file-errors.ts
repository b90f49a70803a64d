import { types } from 'node:util';
import { unavailable } from './error-codes';

/** An error of the file system. */
export interface FileError extends Error {
  /** Such as `EIO`. */
  readonly code: string;
  /** The operation, such as `open`. */
  readonly syscall: string;
}

/**
 * Whether an operation on a file or a folder failed. The errors of sockets have the same codes and
 * members, but only those of files begin with their code.
 */
export function isFileError(error: unknown): error is FileError {
  if (!types.isNativeError(error)) return false;
  const { code, syscall, message } = error as Partial<FileError>;
  if (code === undefined || syscall === undefined) return false;
  return message?.startsWith(`${code}: `) === true;
}

/** An operation on a disk, such as a network mount, had no turn or no result in time. */
export class DiskTimeout extends Error {}

/** Whether a file does not exist, or what should be its folder is none. */
export const isMissingFile = (error: unknown): boolean =>
  isFileError(error) && ['ENOENT', 'ENOTDIR'].includes(error.code);

/**
 * Converts errors of the file system to 999 with 503: the disk fails or is full, a network mount is
 * gone, a folder has wrong permissions, or the process has no descriptor left. A caller that
 * expects missing files handles them before. Other errors are returned unchanged.
 */
export const toFileError = (error: unknown): unknown =>
  isFileError(error) ? unavailable(error) : error;
