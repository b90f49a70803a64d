import { ApiError } from '../api/errors/error-codes';
import { type Page } from '../api/resources/page';
import { toPage, type PageRow } from '../database/page-of';

/** A row of a list with its subject or celebrity. */
export type RowOf<T> = T & PageRow & { readonly parent: unknown };

/**
 * Makes the page of a list, with the parent as its member `name`; without rows the parent does not
 * exist.
 */
export function toPageOf<T>(
  rows: readonly RowOf<T>[],
  start: number,
  name: 'subject' | 'celebrity',
): Page<T> | undefined {
  const [first] = rows;
  return first && { ...toPage(rows, start), extra: { [name]: first.parent } };
}

/** @throws ApiError 1001 when the subject or celebrity is not found (D37) */
export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined)
    throw new ApiError('uriNotFound', { detail: 'film or person not found' });
  return found;
}
