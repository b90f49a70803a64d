import { errorText } from '../api/errors/error-text';

/** Statuses of S3 below 500 that a later request may not get: a time limit, too many requests. */
const TEMPORARY = new Set([408, 429]);

/**
 * A request to S3 failed for a reason that may pass: S3 is unreachable, does not respond in time, is
 * overloaded or fails, or a connection breaks during a body. A rejected key or a missing bucket is a
 * plain Error.
 */
export class S3Unavailable extends Error {}

/** Converts a failed request, or a body that cannot be read to its end. */
export const toS3Unavailable = (error: unknown): S3Unavailable =>
  error instanceof S3Unavailable
    ? error
    : new S3Unavailable(`the connection to S3 failed: ${errorText(error)}`, { cause: error });

/** Whether a later request may succeed after a response with this status. */
export const isTemporaryStatus = (status: number): boolean =>
  status >= 500 || TEMPORARY.has(status);
