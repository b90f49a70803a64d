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

/** A property of statements, which depends on their text and is looked up by their name. */
function byName(test: (text: string) => boolean): (what: Named) => boolean {
  const results = new Map<string, boolean>();
  return ({ name, text }) => {
    let result = results.get(name);
    if (result === undefined) results.set(name, (result = test(text)));
    return result;
  };
}

type Named = Pick<Statement, 'name' | 'text'>;

const onlyReads = (text: string): boolean => READS.test(text) && !WRITES.test(text);

/** Whether a statement may run again after a failure, because it changes nothing. */
export const isRepeatable = byName(onlyReads);

/** Clauses that lock rows. */
const LOCKS = /\bFOR\s+(?:(?:NO\s+KEY\s+)?UPDATE|(?:KEY\s+)?SHARE)\b/gi;

/** Whether a statement changes nothing, but may lock rows until its transaction ends. */
export const onlyReadsOrLocks = byName((text) => onlyReads(text.replace(LOCKS, '')));

/**
 * Declares a read that runs on the primary, also in GET requests, because it needs the latest data.
 * While no primary answers, that of a GET request runs on a replica.
 */
export const preferringPrimary = (what: Statement): Statement => ({
  ...what,
  prefersPrimary: true,
});

/** Results of {@link canRunOnReplica}, by the name of the statement. */
const results = new Map<string, boolean>();

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
