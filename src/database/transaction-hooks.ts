import { AsyncLocalStorage } from 'node:async_hooks';
import { onOwnBehalf } from '../api/http/current-request';
import { type SqlExecutor } from './statement';

type Step = (executor: SqlExecutor) => Promise<void>;

/** Statements at the begin and end of every transaction. */
export interface TransactionHooks {
  readonly begin: Step;
  readonly end: Step;
}
const hookStorage = new AsyncLocalStorage<TransactionHooks>();

const nothing: Step = () => Promise.resolve();

/** The hooks of the current work's transactions, if any. */
export const currentHooks = (): TransactionHooks | undefined => hookStorage.getStore();

/** Adds statements to the end of every transaction of `work`, before COMMIT. */
export const withCommitHook = <T>(end: Step, work: () => Promise<T>): Promise<T> =>
  withTransactionHooks({ begin: nothing, end }, work);

/** Adds statements to the begin and end of every transaction of `work`. */
export const withTransactionHooks = <T>(
  { begin, end }: TransactionHooks,
  work: () => Promise<T>,
): Promise<T> => {
  const outer = hookStorage.getStore();
  const all: TransactionHooks = {
    begin: async (executor) => {
      await outer?.begin(executor);
      await begin(executor);
    },
    end: async (executor) => {
      await end(executor);
      await outer?.end(executor);
    },
  };
  return hookStorage.run(all, work);
};

/**
 * Runs background work: the hooks of the current work do not apply to its transactions, and it does
 * not end when the client of the current request leaves.
 */
export const detached = <T>(work: () => T): T => onOwnBehalf(() => hookStorage.exit(work));
