import { randomInt } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { challenge } from '../api/access/access.guard';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { isMissingReference } from '../api/errors/exception-to-error';
import {
  keyInUse,
  type Attempt,
  type BeginResult,
  type IdempotentResponse,
  type KeyOwner,
} from '../api/writes/idempotency';
import { statement, type Database, type TransactionHooks } from '../database/database';
import { hasNoResponse } from '../database/database-errors';

/** Numbers of attempts are below this: the column is an integer. */
const MAX_NUMBER = 2 ** 31;

const THIS = 'application_id = $1 AND user_id = $2 AND key = $3 AND attempt = $4';

/** SQL: whether a request started longer ago than an interval, or is that far in the future. */
const isNotWithin = (interval: '1 minute' | '24 hours'): string =>
  `idempotency_keys.started_at NOT BETWEEN now() - interval '${interval}' AND now() + interval '${interval}'`;

// A key can be reused after a day. It can be reused after a minute when its request has neither
// committed nor responded: most likely its process has ended. An upload that still waits then is
// rolled back. A start that is as far in the future is from before the clock of PostgreSQL was set
// back. After the response, this needs a day, too: a repeated request must not be executed again.
const BEGIN = statement(
  'idempotency.begin',
  `INSERT INTO idempotency_keys (application_id, user_id, key, attempt, digest)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (application_id, user_id, key) DO UPDATE
   SET digest = EXCLUDED.digest, attempt = EXCLUDED.attempt, started_at = now(),
     executed = false, response = NULL
   WHERE ${isNotWithin('24 hours')}
     OR (NOT idempotency_keys.executed AND idempotency_keys.response IS NULL
       AND ${isNotWithin('1 minute')})
   RETURNING 1`,
);

const STORED = statement(
  'idempotency.stored',
  `SELECT digest, response, executed AND ${isNotWithin('1 minute')} AS ended
   FROM idempotency_keys
   WHERE application_id = $1 AND user_id = $2 AND key = $3`,
);

const EXECUTED = statement(
  'idempotency.executed',
  `UPDATE idempotency_keys SET executed = true WHERE ${THIS} AND NOT executed RETURNING 1`,
);

const RESPONSE = statement(
  'idempotency.response',
  `UPDATE idempotency_keys SET response = $5::json WHERE ${THIS}`,
);

const RELEASE = statement(
  'idempotency.release',
  `DELETE FROM idempotency_keys WHERE ${THIS} AND NOT executed RETURNING 1`,
);

const APPLICATION = statement(
  'idempotency.application',
  'SELECT 1 FROM applications WHERE id = $1',
);

/** The error of a token whose application was deleted during the request. */
const applicationDeleted = (): ApiError =>
  new ApiError('invalidAccessToken', {
    detail: 'the application was deleted',
    headers: challenge('invalid_token'),
  });

/** Whether PostgreSQL may have executed a statement, or may still do so, although it failed here. */
const isResponseLost = (error: unknown): boolean =>
  error instanceof ApiError && hasNoResponse(error.cause);

/** One attempt to execute a request with an idempotency key. */
export class KeyAttempt implements Attempt {
  /**
   * Hooks of the transaction that executes the request. It also marks the key as executed, so that
   * a crash cannot lead to a second execution.
   */
  readonly hooks: TransactionHooks = {
    end: async (executor) => {
      // Another attempt has taken over the key, it was deleted with its application, or it is marked
      // already: an attempt with an unknown outcome was committed. This transaction must roll back.
      if ((await executor.query(EXECUTED, this.names)).length === 0) {
        if ((await executor.query(APPLICATION, this.names.slice(0, 1))).length === 0)
          throw applicationDeleted();
        // It took more than a minute, its process was frozen, or the clock of PostgreSQL went forward.
        throw keyInUse();
      }
    },
  };

  /**
   * Application, user and key, and the number of the attempt. It is chosen here, not by PostgreSQL,
   * so that a claim whose response is lost can be released.
   */
  private readonly names: readonly unknown[];

  /** Set by {@link begin}; see {@link Attempt.mayHaveClaimed}. */
  mayHaveClaimed = false;

  constructor(
    private readonly database: Database,
    { applicationId, userId }: KeyOwner,
    key: string,
  ) {
    this.names = [applicationId, userId, key, randomInt(1, MAX_NUMBER)];
  }

  async begin(digest: Buffer): Promise<BeginResult> {
    const begun = await this.database
      .query(BEGIN, [...this.names, digest])
      .catch((error: unknown) => {
        this.mayHaveClaimed = isResponseLost(error);
        // The token was checked before the application was deleted.
        throw isMissingReference(error) ? applicationDeleted() : error;
      });
    if (begun.length > 0) return { state: 'fresh' };
    const [stored] = await this.database.query<{
      digest: Buffer;
      response: IdempotentResponse | null;
      /** Whether the request has committed, and its response is no longer being stored. */
      ended: boolean;
    }>(STORED, this.names.slice(0, 3));
    // The other request has deleted the key between the two statements.
    if (!stored) return { state: 'running' };
    if (!stored.digest.equals(digest)) return { state: 'other' };
    if (stored.response !== null) return { state: 'responded', response: stored.response };
    return { state: stored.ended ? 'lost' : 'running' };
  }

  async storeResponse(response: IdempotentResponse): Promise<void> {
    await this.database.query(RESPONSE, [...this.names, JSON.stringify(response)]);
  }

  async release(): Promise<boolean> {
    return (await this.database.query(RELEASE, this.names)).length > 0;
  }
}

/** Hooks for the transaction of a request; undefined without an `Idempotency-Key`. */
export const hooksOf = ({ attempt }: ApiRequest): TransactionHooks | undefined =>
  attempt instanceof KeyAttempt ? attempt.hooks : undefined;

/**
 * Hooks that a POST passes to its transaction: they mark the idempotency key of the request as
 * executed. Undefined without a key.
 */
export const CurrentHooks = createParamDecorator(
  (_data: unknown, context: ExecutionContext): TransactionHooks | undefined =>
    hooksOf(context.switchToHttp().getRequest<ApiRequest>()),
);
