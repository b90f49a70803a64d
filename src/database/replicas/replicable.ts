import { type Statement } from '../statement';

/** Statements that only read. */
const READS = /^\s*\(*\s*(?:SELECT|WITH|VALUES)\b/i;

/**
 * Words of statements that write, lock, or depend on transactions of the primary, and unlogged
 * tables, which standbys cannot read.
 */
const PRIMARY_ONLY = new RegExp(
  [
    String.raw`\b(?:INSERT|UPDATE|DELETE|MERGE|SHARE|nextval|setval|set_config)\b`,
    String.raw`pg_(?:try_)?advisory|pg_notify|pg_current_|pg_visible_in_snapshot`,
    String.raw`\b(?:search_results|content_changes|\w+_changes)\b`,
  ].join('|'),
  'i',
);

const results = new Map<string, boolean>();

/** Whether a standby can run a statement. Other text than keywords only makes it `false`. */
export function canRunOnReplica({ name, text }: Statement): boolean {
  let result = results.get(name);
  if (result === undefined) {
    result = READS.test(text) && !PRIMARY_ONLY.test(text);
    results.set(name, result);
  }
  return result;
}

/** Records that a standby has rejected a statement, such as one that calls a function that writes. */
export const markPrimaryOnly = ({ name }: Statement): void => {
  results.set(name, false);
};
