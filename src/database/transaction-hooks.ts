import { type SqlExecutor } from './statement';

type Step = (executor: SqlExecutor) => Promise<void>;

/**
 * Statements at the begin and end of a transaction that its caller adds, such as an audit entry or
 * the mark of an idempotency key. They commit or roll back with the transaction, and run again when
 * it is retried.
 */
export interface TransactionHooks {
  /** Runs after BEGIN, before the work. */
  readonly begin?: Step | undefined;
  /** Runs after the work, before COMMIT. An error rolls the transaction back. */
  readonly end?: Step | undefined;
}

const both = (first: Step | undefined, second: Step | undefined): Step | undefined => {
  if (!first || !second) return first ?? second;
  return async (executor) => {
    await first(executor);
    await second(executor);
  };
};

/** Both hooks: `outer` begins first and ends last. */
export const nestHooks = (
  outer: TransactionHooks | undefined,
  inner: TransactionHooks,
): TransactionHooks => ({
  begin: both(outer?.begin, inner.begin),
  end: both(inner.end, outer?.end),
});
