/** The sort position of an element without one: after all others. */
export const NO_SORT_ORDER = 32767;

/** Limits a position to the range of the column. */
export const toSortOrder = (at: number): number => Math.min(at, NO_SORT_ORDER - 1);

/** The position in JSON; absent when not specified. */
export const sortOrderJson = (sortOrder: number | undefined): number | undefined =>
  sortOrder === NO_SORT_ORDER ? undefined : sortOrder;
