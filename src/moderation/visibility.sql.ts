/**
 * SQL condition: a row is visible to its author only, because it is private (D21) or hidden by
 * moderation. All reads and counters use it.
 */
export const authorOnlySql = (row: string): string => `(${row}.private OR ${row}.hidden)`;

/** SQL condition: a viewer may see a row; `viewer` is the parameter with a user's id, or null. */
export const isVisibleSql = (row: string, viewer: string): string =>
  `(NOT ${authorOnlySql(row)} OR ${row}.user_id = ${viewer})`;
