import { ApiError, unavailable, type ErrorName } from '../api/errors/error-codes';
import { errorText } from '../api/errors/error-text';
import { type ImageHeader, type ReencodedPicture } from './picture-encoding';

/** Results of the child process, by operation. */
export interface PictureResults {
  readonly readHeader: ImageHeader;
  readonly reencode: ReencodedPicture;
}

/** A request to the child process. */
export interface PictureRequest {
  readonly id: number;
  readonly work: keyof PictureResults;
  readonly bytes: Uint8Array;
  /** For `reencode`. */
  readonly header?: ImageHeader;
}

/** An error as it passes between processes. */
export interface SerializedError {
  /** Undefined for an unexpected error. */
  readonly name: ErrorName | undefined;
  readonly isUnavailable: boolean;
  readonly detail: string | undefined;
  readonly cause: string | undefined;
}

/** The response to a request, with its result or its error. */
export interface PictureResponse {
  readonly id: number;
  readonly result?: PictureResults[keyof PictureResults];
  readonly error?: SerializedError;
}

/** Converts an error for {@link deserializeError} of another process. */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof ApiError)) {
    const cause = errorText(error);
    return { name: undefined, isUnavailable: false, detail: undefined, cause };
  }
  const { error: name, detail, status } = error;
  const cause = error.cause === undefined ? undefined : errorText(error.cause);
  return { name, isUnavailable: status === 503, detail, cause };
}

/** The error that {@link serializeError} converted: an `ApiError`, unless it was unexpected. */
export function deserializeError({ name, isUnavailable, detail, cause }: SerializedError): Error {
  const reason = cause === undefined ? undefined : new Error(cause);
  if (name === undefined) return reason ?? new Error('the picture failed without a reason');
  if (isUnavailable) return unavailable(reason, { detail });
  return new ApiError(name, { detail, cause: reason });
}
