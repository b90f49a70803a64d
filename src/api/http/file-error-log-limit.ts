import { isFileError } from '../errors/file-errors';

/** Milliseconds between two lines about the same error. */
const REPEAT_MS = 60_000;

/** Requests with an error, since the last line about it. */
interface Failure {
  loggedAt: number;
  failed: number;
}

/**
 * Limits the lines about errors of the file system. While a disk fails, every request that needs it
 * has the same error: pages with many pictures would fill the disk of the log.
 */
export class FileErrorLogLimit {
  private readonly failures = new Map<string, Failure>();

  /**
   * Counts a failed request.
   * @returns the number of requests to report in the next log line; 0 when the error was logged
   *   less than a minute ago
   */
  countFailure(cause: unknown): number {
    if (!isFileError(cause)) return 1;
    const error = `${cause.code} ${cause.syscall}`;
    const now = performance.now();
    const failure = this.failures.get(error) ?? { loggedAt: -Infinity, failed: 0 };
    this.failures.set(error, failure);
    failure.failed += 1;
    if (now - failure.loggedAt < REPEAT_MS) return 0;
    const { failed } = failure;
    failure.loggedAt = now;
    failure.failed = 0;
    return failed;
  }
}
