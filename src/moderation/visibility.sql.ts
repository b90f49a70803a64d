/**
 * SQL: whether a row is for its author alone, being private (D21), or held until a moderator has
 * looked. Whatever others see, and whatever is counted, asks this.
 */
export const hidden = (row: string): string => `(${row}.private OR ${row}.held)`;

/** SQL: whether a viewer may see a row; `viewer` is the parameter with a user's id, or null. */
export const isVisibleSql = (row: string, viewer: string): string =>
  `(NOT ${hidden(row)} OR ${row}.user_id = ${viewer})`;
