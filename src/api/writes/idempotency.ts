import { createHash } from 'node:crypto';
import { CAPTCHA_ID, CAPTCHA_SOLUTION } from './captcha';
import { ApiError, type ErrorName } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';

/** Owner of a key: two callers may choose the same key. */
export interface KeyOwner {
  readonly applicationId: number;
  readonly userId: number;
}

/** A stored response for repeats of the same request. */
export type IdempotentResponse =
  | { readonly body: string; readonly contentType: string }
  | { readonly error: ErrorName; readonly detail: string | undefined };

/** State of a request with a key. */
export type BeginResult =
  /** The key is new: execute the request. */
  | { readonly state: 'fresh' }
  /** The request was executed and its response is stored. */
  | { readonly state: 'responded'; readonly response: IdempotentResponse }
  /** The key was used for another request. */
  | { readonly state: 'other' }
  /** The request is being executed. */
  | { readonly state: 'running' }
  /** The request was executed, and its response was not stored. */
  | { readonly state: 'lost' };

/** One attempt to execute a request with a key. Its first commit marks the key as executed. */
export interface Attempt {
  /**
   * Claims the key.
   * @param digest SHA-256 of the request
   */
  begin(digest: Buffer): Promise<BeginResult>;
  /** Whether {@link begin} has failed, and may have claimed the key all the same. */
  readonly mayHaveClaimed: boolean;
  /** Stores the response. */
  storeResponse(response: IdempotentResponse): Promise<void>;
  /**
   * Releases the key, unless something was committed.
   * @returns whether it released a claim of this attempt
   */
  release(): Promise<boolean>;
}

/** Stores keys of safe retries; implemented on the database. */
export abstract class IdempotencyStore {
  /** A new attempt, which has not begun. */
  abstract createAttempt(owner: KeyOwner, key: string): Attempt;
}

/**
 * Digest of method, path, parameters and pictures: equal digests mean the same request.
 * @throws ApiError 999 with 503 when a picture cannot be read
 */
export async function digestOf(request: ApiRequest): Promise<Buffer> {
  const { context } = request;
  const hash = createHash('sha256');
  const body = request.body as unknown;
  // A request with a solution is the same request.
  const { [CAPTCHA_ID]: _id, [CAPTCHA_SOLUTION]: _solution, ...query } = context.query;
  hash.update(JSON.stringify([context.method, context.path, query, body ?? {}]));
  for (const { field, file } of request.pictures ?? []) {
    hash.update(`\n${field} ${file.size}\n`).update(await file.read());
  }
  return hash.digest();
}

/**
 * 409 for a request while another attempt with its key is running, or after one has taken the key
 * over (D91).
 */
export const keyInUse = (): ApiError =>
  new ApiError('unknown', {
    status: 409,
    detail: 'a request with this Idempotency-Key is still running',
    headers: { 'Retry-After': '2' },
  });
