import { CopyRows } from '../../database/copy-in';
import { copyStatement, statement, type SqlExecutor } from '../../database/database';
import { NO_SORT_ORDER } from '../engine/record';
import { tagKey } from './book-search-text';
import { type BookRecord } from './book.record';

const COPY_TAGS = copyStatement('import_export.copy_tags', 'book_tags', [
  'book_id',
  'name',
  'folded',
  'position',
  'base_count',
  'uncounted',
]);

/** The trigger that counts inserted tags reads their books again, a tenth of an import. */
const COUNTED_HERE = statement(
  'import_export.tags_counted_here',
  `SELECT set_config('commonplace.tags_counted', 'on', true)`,
);
const COUNTED_BY_TRIGGER = statement(
  'import_export.tags_counted_by_trigger',
  `SELECT set_config('commonplace.tags_counted', '', true)`,
);

const ADD_COUNTS = statement(
  'import_export.add_tag_counts',
  `INSERT INTO book_tag_counts (folded, books)
   SELECT folded, books FROM unnest($1::text[], $2::int[]) AS c(folded, books) ORDER BY folded`,
);

/** Rows of tags, and the number of books of each folded tag. */
interface TagRows {
  readonly rows: CopyRows;
  readonly books: Map<string, number>;
}

/** Search keys that several tags of a book share; a search checks these tags one by one. */
function sharedKeys(keys: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  const shared = new Set<string>();
  for (const key of keys) {
    if (all.has(key)) shared.add(key);
    else all.add(key);
  }
  return shared;
}

function addTags({ id, kind, tags }: BookRecord, all: TagRows): void {
  const keys = tags.map(({ name }) => tagKey(kind, name));
  const shared = sharedKeys(keys);
  tags.forEach(({ name, count }, at) => {
    const key = keys[at] ?? '';
    const uncounted = key !== '' && shared.has(key);
    const position = Math.min(at, NO_SORT_ORDER);
    all.rows.add([id as number, name, key, position, count, uncounted ? 't' : 'f']);
    if (key !== '' && !uncounted) all.books.set(key, (all.books.get(key) ?? 0) + 1);
  });
}

/** Inserts the tags of new books, and their counts. */
export async function copyTags(executor: SqlExecutor, books: readonly BookRecord[]): Promise<void> {
  const all: TagRows = { rows: new CopyRows(), books: new Map() };
  for (const book of books) addTags(book, all);
  if (all.rows.isEmpty) return;
  await executor.query(COUNTED_HERE);
  await executor.query(COPY_TAGS, [all.rows]);
  await executor.query(COUNTED_BY_TRIGGER);
  await executor.query(ADD_COUNTS, [[...all.books.keys()], [...all.books.values()]]);
}
