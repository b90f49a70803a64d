import { isFileError } from '../errors/file-errors';

/** Milliseconds between two lines about the same failure. */
const REPEAT_MS = 60_000;

/** Maximum number of different failures that are counted; all others count as one. */
const MAX_FAILURES = 100;

const UNAVAILABLE = 503;

/** Requests with a failure, since the last line about it. */
interface Failure {
  loggedAt: number;
  failed: number;
}

/** Errors of files have the path in their message. */
function nameOf(cause: unknown): string {
  if (isFileError(cause)) return `${cause.code} ${cause.syscall}`;
  return cause instanceof Error ? `${cause.name} ${cause.message}` : String(cause);
}

/**
 * Limits the lines about requests with status 503. While a disk or the database fails, or a queue
 * is full, every request that needs it fails for the same reason, and would fill the disk of the
 * log.
 */
export class FailureLogLimit {
  private readonly failures = new Map<string, Failure>();

  /**
   * Counts a failed request.
   * @returns the number of requests to report in the next log line; 0 when the failure was logged
   *   less than a minute ago
   */
  countFailure(cause: unknown, status: number): number {
    if (status !== UNAVAILABLE) return 1;
    const now = performance.now();
    const failure = this.failureOf(nameOf(cause));
    failure.failed += 1;
    if (now - failure.loggedAt < REPEAT_MS) return 0;
    const { failed } = failure;
    failure.loggedAt = now;
    failure.failed = 0;
    return failed;
  }

  private failureOf(name: string): Failure {
    const key = this.failures.has(name) || this.failures.size < MAX_FAILURES ? name : '';
    const failure = this.failures.get(key) ?? { loggedAt: -Infinity, failed: 0 };
    this.failures.set(key, failure);
    return failure;
  }
}
