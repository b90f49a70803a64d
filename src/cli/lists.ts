import { type Page, type PageQuery } from '../api/page';
import { print } from './session';

/** Rows that are read at once. */
const PAGE = 1000;

/** Prints all that a paged list has, one JSON object a line. */
export async function printAll<T extends object>(
  list: (page: PageQuery) => Promise<Page<T>>,
): Promise<void> {
  for (let start = 0; ; start += PAGE) {
    const { items } = await list({ start, count: PAGE });
    for (const item of items) {
      // What the statement of a page says beside its rows.
      const { hit: _hit, total: _total, ...row } = item as Record<string, unknown>;
      print(row);
    }
    if (items.length < PAGE) return;
  }
}
