import { AsyncLocalStorage } from 'node:async_hooks';
import { onOwnBehalf } from '../api/http/current-request';
import { type SqlExecutor } from './statement';

type Step = (executor: SqlExecutor) => Promise<void>;

/** What every transaction begins and ends with. */
export interface TransactionHooks {
  readonly begin: Step;
  readonly end: Step;
}
const hookStorage = new AsyncLocalStorage<TransactionHooks>();

const nothing: Step = () => Promise.resolve();

/** What surrounds the transactions of the current work, when something does. */
export const currentHooks = (): TransactionHooks | undefined => hookStorage.getStore();

/** Lets every transaction of `work` end with some statements more, committed together with it. */
export const withCommitHook = <T>(end: Step, work: () => Promise<T>): Promise<T> =>
  withTransactionHooks({ begin: nothing, end }, work);

/** Lets every transaction of `work` begin and end with some statements more. */
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
 * Work that goes on by itself: whatever surrounds the transactions of who began it does not surround
 * its own, and it does not end when the client of a request leaves.
 */
export const detached = <T>(work: () => T): T => onOwnBehalf(() => hookStorage.exit(work));
