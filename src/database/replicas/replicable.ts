import { type Statement } from '../statement';

/** Statements that only read. */
const READS = /^\s*\(*\s*(?:SELECT|WITH|VALUES)\b/i;

/** Words of statements that write or lock. */
const WRITES =
  /\b(?:INSERT|UPDATE|DELETE|MERGE|SHARE|nextval|setval|set_config)\b|pg_(?:try_)?advisory|pg_notify/i;

/**
 * Functions that depend on transactions of the primary, and unlogged tables, which standbys cannot
 * read.
 */
const PRIMARY_ONLY =
  /pg_current_|pg_visible_in_snapshot|\b(?:search_results|content_changes|\w+_changes)\b/i;

/** Results of {@link isRepeatable}, and of {@link canRunOnReplica}, by the name of the statement. */
const repeatable = new Map<string, boolean>();
const results = new Map<string, boolean>();

/** Whether a statement may run again after a failure, because it changes nothing. */
export function isRepeatable({ name, text }: Statement): boolean {
  let result = repeatable.get(name);
  if (result === undefined) {
    result = READS.test(text) && !WRITES.test(text);
    repeatable.set(name, result);
  }
  return result;
}

/** Clauses that lock rows. */
const LOCKS = /\bFOR\s+(?:(?:NO\s+KEY\s+)?UPDATE|(?:KEY\s+)?SHARE)\b/gi;

const harmless = new Map<string, boolean>();

/** Whether a statement changes nothing, but may lock rows until its transaction ends. */
export function onlyReadsOrLocks({ name, text }: { name?: string; text: string }): boolean {
  if (name === undefined) return false;
  let result = harmless.get(name);
  if (result === undefined) {
    const read = text.replace(LOCKS, '');
    result = READS.test(read) && !WRITES.test(read);
    harmless.set(name, result);
  }
  return result;
}

/**
 * Declares a read that runs on the primary, also in GET requests, because it needs the latest data.
 * While no primary answers, that of a GET request runs on a replica.
 */
export const preferringPrimary = (what: Statement): Statement => ({
  ...what,
  prefersPrimary: true,
});

/** Whether a standby can run a statement. Other text than keywords only makes it `false`. */
export function canRunOnReplica(what: Statement): boolean {
  const { name, text } = what;
  let result = results.get(name);
  if (result === undefined) {
    result = isRepeatable(what) && !PRIMARY_ONLY.test(text);
    results.set(name, result);
  }
  return result;
}

/** Records that a standby has rejected a statement, such as one that calls a function that writes. */
export const markPrimaryOnly = ({ name }: Statement): void => {
  results.set(name, false);
};
