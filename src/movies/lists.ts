import { ApiError } from '../api/errors/errors';
import { type Page } from '../api/resources/page';
import { toPage, type PageRow } from '../database/page-of';

/** A row of a list that belongs to a subject or a celebrity, which each row carries. */
export type RowOf<T> = T & PageRow & { readonly parent: unknown };

/**
 * The page that rows of a list are, with what the list belongs to as its member `name`; without
 * any row there is no such subject or celebrity.
 */
export function toPageOf<T>(
  rows: readonly RowOf<T>[],
  start: number,
  name: 'subject' | 'celebrity',
): Page<T> | undefined {
  const [first] = rows;
  return first && { ...toPage(rows, start), extra: { [name]: first.parent } };
}

/** @throws ApiError 1001 for a subject or celebrity that is unknown (D37) */
export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new ApiError('uriNotFound');
  return found;
}
