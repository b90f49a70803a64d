import { idIn } from '../input/ids';
import { type Page } from './page';
import { list, optional, str, type WireType } from './resource';

/** A row of a list by ids, with the position of its id in the request. */
export interface AskedRow {
  /** Counts from 1. */
  readonly asked_at: number;
}

/** The member `missing` of lists by ids: the values that were not found, as they were sent (D46). */
export const MISSING: { readonly missing: WireType } = { missing: optional(list(str())) };

/** Ids of a request for SQL. Ids that no record can have are null, which matches none. */
export const askedIds = (ids: readonly string[]): (number | null)[] => ids.map(idIn);

/**
 * The list response of a request for certain records (D46).
 *
 * @param asked the ids, or other keys, of the request
 * @param rows the records in the order of the request
 */
export function pageOfAsked<T extends AskedRow>(
  asked: readonly string[],
  rows: readonly T[],
): Page<T> {
  const found = new Set(rows.map(({ asked_at: at }) => at));
  const missing = asked.filter((_, at) => !found.has(at + 1));
  return { start: 0, total: rows.length, items: rows, extra: { missing } };
}
