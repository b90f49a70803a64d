import { type ConnectionPool } from './connection-pool';
import { isTransactionConflict } from './database-errors';
import { type TransactionExecutor } from './statement';
import {
  Attempt,
  endsWhenStalled,
  requireWritable,
  type AttemptPlan,
  type TransactionOptions,
} from './transaction-attempt';

/** Maximum number of attempts after conflicts with other transactions. */
const ATTEMPTS = 5;
/** Maximum number of attempts when the connection is lost before COMMIT. */
const ATTEMPTS_AFTER_LOSS = 2;

/** How a transaction runs. */
interface TransactionPlan extends AttemptPlan, Pick<TransactionOptions, 'attempts'> {
  /** Whether its work does more than run statements, so that it must not be retried. */
  readonly once?: boolean;
}

/**
 * Runs a transaction on one connection. It is retried after a conflict with another transaction,
 * and when its connection is lost before COMMIT, because PostgreSQL then rolls back. A transaction
 * that may have been committed is never retried.
 *
 * @throws CommitUnknown; WritesStalled; errors of `pg` and of `work`
 */
export async function inTransaction<T>(
  pool: ConnectionPool,
  work: (executor: TransactionExecutor) => Promise<T>,
  plan: TransactionPlan,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    requireWritable(pool, plan);
    const client = await pool.acquire();
    client.isWriting = endsWhenStalled(plan);
    const attempt = new Attempt(pool, client, plan);
    try {
      return await attempt.run(work);
    } catch (error) {
      const again =
        (attempts < (plan.attempts ?? ATTEMPTS) && isTransactionConflict(error)) ||
        (attempts < ATTEMPTS_AFTER_LOSS && attempt.lostBeforeCommit(error));
      if (!again || plan.once) throw error;
    }
  }
}
