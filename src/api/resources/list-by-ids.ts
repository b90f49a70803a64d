import { idIn } from '../input/ids';
import { type Page } from './page';
import { described, list, optional, str, type WireType } from './resource';

/** A row of a list by ids, with the position of its id in the request. */
export interface RequestedRow {
  /** Starts at 1. */
  readonly request_position: number;
}

/** The member `missing` of lists by ids: the values that were not found, as they were sent (D46). */
export const MISSING_MEMBER: { readonly missing: WireType } = {
  missing: described(
    optional(list(str())),
    'Requested values that were not found, as they were sent; only in responses to lists of ids.',
  ),
};

/** Ids of a request for SQL. Ids that no record can have are null, which matches none. */
export const requestedIds = (ids: readonly string[]): (number | null)[] => ids.map(idIn);

/**
 * The list response of a request for certain records (D46). A record that several values lead to,
 * such as `4` and `04`, two of its ISBNs, or the id of a merged record and that of the surviving
 * one, is in the list once, at its first place.
 *
 * @param requested the ids, or other keys, of the request
 * @param rows the records in the order of the request
 */
export function pageOfRequested<T extends RequestedRow & { readonly id: unknown }>(
  requested: readonly string[],
  rows: readonly T[],
): Page<T> {
  const found = new Set(rows.map(({ request_position: at }) => at));
  const missing = requested.filter((_, at) => !found.has(at + 1));
  const items = [...new Map(rows.map((row) => [row.id, row])).values()];
  return { start: 0, total: items.length, items, extra: { missing } };
}
