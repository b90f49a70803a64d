import { errorText } from '../api/errors/error-text';

/** Statuses below 500 that may be temporary: Request Timeout and Too Many Requests. */
const TEMPORARY_STATUSES = new Set([408, 429]);

/**
 * A request to S3 failed for a temporary reason: S3 is unreachable, does not respond in time, is
 * overloaded or fails, a connection breaks during a body, or this process stops. A rejected key or a
 * missing bucket is a plain Error.
 */
export class S3Unavailable extends Error {}

/** Converts a failed request, or a body that cannot be read to its end. */
export const toS3Unavailable = (error: unknown): S3Unavailable =>
  error instanceof S3Unavailable
    ? error
    : new S3Unavailable(`the connection to S3 failed: ${errorText(error)}`, { cause: error });

/** Whether a later request may succeed after a response with this status. */
export const isTemporaryStatus = (status: number): boolean =>
  status >= 500 || TEMPORARY_STATUSES.has(status);
