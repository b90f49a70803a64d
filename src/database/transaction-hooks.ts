import { AsyncLocalStorage } from 'node:async_hooks';
import { onOwnBehalf } from '../api/current-request';
import { type Runner } from './statement';

type Step = (runner: Runner) => Promise<void>;

/** What every transaction begins and ends with. */
export interface Around {
  readonly begin: Step;
  readonly end: Step;
}
const surroundings = new AsyncLocalStorage<Around>();

const nothing: Step = () => Promise.resolve();

/** What surrounds the transactions of the current work, when something does. */
export const currentHooks = (): Around | undefined => surroundings.getStore();

/** Lets every transaction of `work` end with some statements more, committed together with it. */
export const endingWith = <T>(end: Step, work: () => Promise<T>): Promise<T> =>
  surroundedBy({ begin: nothing, end }, work);

/** Lets every transaction of `work` begin and end with some statements more. */
export const surroundedBy = <T>({ begin, end }: Around, work: () => Promise<T>): Promise<T> => {
  const outer = surroundings.getStore();
  const all: Around = {
    begin: async (runner) => {
      await outer?.begin(runner);
      await begin(runner);
    },
    end: async (runner) => {
      await end(runner);
      await outer?.end(runner);
    },
  };
  return surroundings.run(all, work);
};

/**
 * Work that goes on by itself: whatever surrounds the transactions of who began it does not surround
 * its own, and it does not end when the client of a request leaves.
 */
export const apart = <T>(work: () => T): T => onOwnBehalf(() => surroundings.exit(work));
