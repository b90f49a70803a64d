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

/** Whether a statement may run again after a failure, because it changes nothing. */
export const isRepeatable = ({ text }: Statement): boolean =>
  READS.test(text) && !WRITES.test(text);

/**
 * Declares a read that runs on the primary, also in GET requests, because it needs the latest data.
 * While no primary answers, that of a GET request runs on a replica.
 */
export const preferringPrimary = (what: Statement): Statement => ({
  ...what,
  prefersPrimary: true,
});

/** Results of {@link mayWrite}, and of {@link canRunOnReplica}, by the name of the statement. */
const writing = new Map<string, boolean>();
const results = new Map<string, boolean>();

/** Whether a statement is not known to change nothing. */
export function mayWrite(what: Statement): boolean {
  let result = writing.get(what.name);
  if (result === undefined) {
    result = !isRepeatable(what);
    writing.set(what.name, result);
  }
  return result;
}

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
