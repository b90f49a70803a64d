import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { challenge } from '../api/access/access.guard';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { keyInUse, type Attempt, type IdempotentResponse } from '../api/writes/idempotency';
import { statement, type Database, type TransactionHooks } from '../database/database';

const THIS = 'application_id = $1 AND user_id = $2 AND key = $3 AND attempt = $4';

const EXECUTED = statement(
  'idempotency.executed',
  `UPDATE idempotency_keys SET executed = true WHERE ${THIS} RETURNING 1`,
);

const RESPONSE = statement(
  'idempotency.response',
  `UPDATE idempotency_keys SET response = $5::json WHERE ${THIS}`,
);

const ABANDON = statement(
  'idempotency.abandon',
  `DELETE FROM idempotency_keys WHERE ${THIS} AND NOT executed`,
);

const APPLICATION = statement(
  'idempotency.application',
  'SELECT 1 FROM applications WHERE id = $1',
);

/** The error of a token whose application was deleted during the request. */
export const applicationDeleted = (): ApiError =>
  new ApiError('invalidAccessToken', {
    detail: 'the application was deleted',
    headers: challenge('invalid_token'),
  });

/** One attempt to execute a request with an idempotency key. */
export class KeyAttempt implements Attempt {
  /**
   * Hooks of the transaction that executes the request. It also marks the key as executed, so that
   * a crash cannot lead to a second execution.
   */
  readonly hooks: TransactionHooks = {
    end: async (executor) => {
      // Another attempt has taken over the key, or the key was deleted with its application. This
      // transaction must roll back.
      if ((await executor.query(EXECUTED, this.names)).length === 0) {
        if ((await executor.query(APPLICATION, this.names.slice(0, 1))).length === 0)
          throw applicationDeleted();
        // The process was frozen, or the clock of PostgreSQL went forward.
        throw keyInUse();
      }
    },
  };

  /** @param names application, user, key and number of the attempt */
  constructor(
    private readonly database: Database,
    private readonly names: readonly unknown[],
  ) {}

  async storeResponse(response: IdempotentResponse): Promise<void> {
    await this.database.query(RESPONSE, [...this.names, JSON.stringify(response)]);
  }

  async abandon(): Promise<void> {
    await this.database.query(ABANDON, this.names);
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
