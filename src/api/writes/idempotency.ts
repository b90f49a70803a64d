import { createHash } from 'node:crypto';
import { CAPTCHA_ID, CAPTCHA_SOLUTION } from './captcha';
import { type ErrorName } from '../errors/errors';
import { type ApiRequest } from '../http/request-context';

/** Whose key it is: two callers may choose the same one. */
export interface KeyOwner {
  readonly applicationId: number;
  readonly userId: number;
}

/** An answer that is given again to the same request. */
export type StoredAnswer =
  | { readonly body: string; readonly contentType: string }
  | { readonly error: ErrorName; readonly detail: string | undefined };

/** How a request with a key stands. */
export type Begun =
  /** Nobody has sent it: carry it out. */
  | { readonly state: 'fresh'; readonly attempt: Attempt }
  /** It was carried out and answered. */
  | { readonly state: 'answered'; readonly answer: StoredAnswer }
  /** The key came with another request before. */
  | { readonly state: 'other' }
  /** It is being carried out; or it was, and the answer was lost. */
  | { readonly state: 'running' };

/** One attempt to carry out a request with a key. */
export interface Attempt {
  /**
   * Runs the work. Whatever it commits is committed together with the fact that it was carried
   * out: nobody carries it out again after a crash.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps the answer. */
  answer(answer: StoredAnswer): Promise<void>;
  /** Lets the key be used again, unless something was committed. */
  abandon(): Promise<void>;
}

/** Where keys of safe retries are kept; implemented on the database. */
export abstract class IdempotencyStore {
  /** @param digest SHA-256 of the request */
  abstract begin(owner: KeyOwner, key: string, digest: Buffer): Promise<Begun>;
}

/** What makes two requests the same: method, path, parameters and pictures. */
export function digestOf(request: ApiRequest): Buffer {
  const { context } = request;
  const hash = createHash('sha256');
  const body = request.body as unknown;
  // Solving a challenge makes no other request of it.
  const { [CAPTCHA_ID]: _id, [CAPTCHA_SOLUTION]: _solution, ...query } = context.query;
  hash.update(JSON.stringify([context.method, context.path, query, body ?? {}]));
  for (const { field, bytes } of request.pictures ?? []) {
    hash.update(`\n${field} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest();
}
