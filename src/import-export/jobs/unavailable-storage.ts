import { ApiError } from '../../api/errors/error-codes';
import { DiskTimeout, isFileError, isMissingFile } from '../../api/errors/file-errors';
import { NotMounted } from '../../images/picture-storage';
import { S3Unavailable } from '../../images/s3-unavailable';
import { type Job } from './job';

/**
 * Error codes of a file system that may be available later: a network mount has lost its server or
 * its process, or a device does not respond. Node has no names for some: -67 is ENOLINK, -116 is
 * ESTALE.
 */
const UNAVAILABLE = new Set([
  ...['EIO', 'EREMOTEIO', 'ENODEV', 'ENXIO', 'ENONET', 'ESHUTDOWN', 'ESTALE', 'ENOLINK'],
  ...['Unknown system error -67', 'Unknown system error -116'],
  ...['ENOTCONN', 'ETIMEDOUT', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH'],
  ...['ENETRESET', 'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED'],
]);

/** A disk or the bucket that a job needs is unavailable. The message names it. */
export class UnavailableStorage extends Error {
  constructor(cause: Error, message = cause.message) {
    super(message, { cause });
  }
}

const isUnavailable = (error: unknown): error is Error =>
  isFileError(error) && UNAVAILABLE.has(error.code);

/** Ignores an error, unless it reports an unavailable disk. @throws the error in that case */
export function unlessUnavailable(error: unknown): undefined {
  if (isUnavailable(error)) throw error;
  return undefined;
}

/** The message of an error of a file system. Errors of open files do not name them. */
const messageOf = (error: Error, type: Job['type']): string =>
  'path' in error
    ? error.message
    : `PICTURES_DIR or the disk of the ${type} is unavailable: ${error.message}`;

/**
 * Converts the error of a job if a disk or the bucket that it needs is unavailable:
 *
 * - The disk of pictures does not respond or is not mounted.
 * - S3 is unavailable for a temporary reason ({@link S3Unavailable}).
 * - A file system reports that it is unavailable.
 * - A file or folder of an export is missing: TRANSFER_DIR was moved, or its file system is not
 *   mounted. For an import, the administrator may have specified a wrong file.
 */
export function toJobError({ type }: Pick<Job, 'type'>, error: unknown): unknown {
  // A snapshot of the database takes an error of the file system for a lost connection.
  const cause = error instanceof ApiError ? error.cause : error;
  // Only operations on pictures have time limits.
  if (cause instanceof DiskTimeout)
    return new UnavailableStorage(cause, `PICTURES_DIR does not respond: ${cause.message}`);
  if (cause instanceof NotMounted || cause instanceof S3Unavailable)
    return new UnavailableStorage(cause);
  if (type === 'export' && isMissingFile(cause)) return new UnavailableStorage(cause as Error);
  // A file that cannot be read is reported as damaged, with the error of the file system as cause.
  const root = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return isUnavailable(root) ? new UnavailableStorage(root, messageOf(root, type)) : error;
}
