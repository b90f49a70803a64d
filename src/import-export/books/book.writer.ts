import { statement, type SqlExecutor } from '../../database/database';
import { bookSearchText, tagKey } from './book-search-text';
import { copyBooks, type BookColumn } from './book.copy';
import { publishedOn, type BookRecord } from './book.record';
import { reserveIds } from '../engine/sequences';
import { NO_SORT_ORDER } from '../engine/record';

const WRITE_SERIES = statement(
  'import_export.write_series',
  `INSERT INTO series (id, title)
   SELECT DISTINCT ON (r.id) r.id, r.title FROM json_to_recordset($1::json) AS r(id bigint, title text)
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET title = EXCLUDED.title
   WHERE EXCLUDED.title <> '' AND series.title <> EXCLUDED.title`,
);

/** The types of the columns that an import writes. */
const FIELDS: Readonly<Record<Exclude<BookColumn, 'id'>, string>> = {
  kind: 'text',
  isbn10: 'text',
  isbn13: 'text',
  title: 'text',
  origin_title: 'text',
  alt_title: 'text',
  subtitle: 'text',
  image_small: 'text',
  image_medium: 'text',
  image_large: 'text',
  author: 'text[]',
  translator: 'text[]',
  publisher: 'text',
  pubdate: 'text',
  published_on: 'integer',
  binding: 'text',
  price: 'text',
  pages: 'text',
  series_id: 'bigint',
  author_intro: 'text',
  summary: 'text',
  catalog: 'text',
  ebook_url: 'text',
  ebook_price: 'text',
  rating_base_count: 'integer',
  rating_base_average: 'numeric',
};
const NAMES = Object.keys(FIELDS);

const WRITE_BOOKS = statement(
  'import_export.write_books',
  `INSERT INTO books (id, ${NAMES.join(', ')})
   SELECT r.id, ${NAMES.map((name) => `r.${name}`).join(', ')}
   FROM json_to_recordset($1::json)
     AS r(id bigint, ${Object.entries(FIELDS)
       .map(([name, type]) => `${name} ${type}`)
       .join(', ')})
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET placeholder = false, deleted_at = NULL, updated_at = date_trunc('second', now()),
     ${NAMES.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
);

// PostgreSQL evaluates the condition after it has locked the row, so that it also keeps the books of
// transactions that commit while it waits.
const WRITE_MISSING = statement(
  'import_export.write_missing_books',
  `${WRITE_BOOKS.text} WHERE books.placeholder AND books.deleted_at IS NULL RETURNING id::float8 AS id`,
);

/** Adds the collections' tag counts to the new base counts, in the new order. */
const TAKE_TAGS = statement(
  'import_export.take_tags',
  `DELETE FROM book_tags WHERE book_id = ANY($1::bigint[])
   RETURNING book_id::float8 AS book_id, name, used_count`,
);

const WRITE_TAGS = statement(
  'import_export.write_tags',
  `INSERT INTO book_tags (book_id, name, folded, position, base_count, used_count)
   SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::int[], $6::int[])`,
);

/** Joins the terms with a character that cannot occur in text. */
const WRITE_SEARCH = statement(
  'import_export.write_search',
  `INSERT INTO book_search (book_id, title, body, terms, popularity)
   SELECT r.id, r.title, r.body, array_to_tsvector(string_to_array(r.terms, E'\\x01')),
     b.rating_base_count + b.rating_count
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS r(id, title, body, terms)
   JOIN books b ON b.id = r.id
   ON CONFLICT (book_id) DO UPDATE SET title = EXCLUDED.title, body = EXCLUDED.body,
     terms = EXCLUDED.terms, popularity = EXCLUDED.popularity`,
);

const REMOVE_SEARCH = statement(
  'import_export.remove_search',
  'DELETE FROM book_search WHERE book_id = ANY($1::bigint[])',
);

const EXISTING = statement(
  'import_export.existing_books',
  'SELECT id::float8 AS id FROM books WHERE id = ANY($1::bigint[])',
);

/**
 * Fewer books are written one way, whether they exist or not, which also waits for a concurrent
 * transaction that creates them.
 */
const MIN_COPIED = 20;

interface TakenTag {
  readonly book_id: number;
  readonly name: string;
  readonly used_count: number;
}

/**
 * Inserts or replaces books that have ids, with their series, tags and search terms.
 *
 * @param onlyMissing whether it replaces placeholders only, except those of deleted books
 * @throws DatabaseError (unique violation) when another transaction has created one of many books
 *   meanwhile
 */
export async function writeBooks(
  executor: SqlExecutor,
  books: readonly BookRecord[],
  { onlyMissing = false }: { readonly onlyMissing?: boolean } = {},
): Promise<void> {
  const series = books.map((book) => book.series).filter((one) => one !== null);
  if (series.length > 0) {
    await reserveIds(
      executor,
      'series',
      series.map(({ id }) => id),
    );
    await executor.query(WRITE_SERIES, [JSON.stringify(series)]);
  }
  await reserveIds(
    executor,
    'books',
    books.map(({ id }) => id),
  );
  const fresh = books.length < MIN_COPIED ? new Set<BookRecord>() : await newOf(executor, books);
  const others = books.filter((book) => !fresh.has(book));
  if (others.length > 0) {
    const rows = await executor.query<{ id: number }>(onlyMissing ? WRITE_MISSING : WRITE_BOOKS, [
      JSON.stringify(others.map(toRow)),
    ]);
    const ids = new Set<number | undefined>(rows.map(({ id }) => id));
    const written = onlyMissing ? others.filter(({ id }) => ids.has(id)) : others;
    if (written.length > 0) {
      await writeTags(executor, written);
      await writeSearch(executor, written);
    }
  }
  if (fresh.size > 0) await copyBooks(executor, [...fresh]);
}

/** The books without a row, also without one of a placeholder. */
async function newOf(
  executor: SqlExecutor,
  books: readonly BookRecord[],
): Promise<Set<BookRecord>> {
  const rows = await executor.query<{ id: number }>(EXISTING, [books.map(({ id }) => id)]);
  const existing = new Set<number | undefined>(rows.map(({ id }) => id));
  return new Set(books.filter(({ id }) => !existing.has(id)));
}

const toRow = ({ tags: _tags, series, raters, average, ...book }: BookRecord) => ({
  ...book,
  published_on: publishedOn(book.pubdate),
  series_id: series?.id ?? null,
  rating_base_count: raters,
  rating_base_average: average,
});

async function writeTags(executor: SqlExecutor, books: readonly BookRecord[]): Promise<void> {
  const taken = await executor.query<TakenTag>(TAKE_TAGS, [books.map(({ id }) => id)]);
  const used = new Map<number, Map<string, number>>();
  for (const tag of taken) {
    if (tag.used_count === 0) continue;
    const ofBook = used.get(tag.book_id) ?? new Map<string, number>();
    used.set(tag.book_id, ofBook.set(tag.name, tag.used_count));
  }
  const columns: [unknown[], string[], string[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
  ];
  const add = (
    { id, kind }: BookRecord,
    name: string,
    place: number,
    base: number,
    uses: number,
  ): void => {
    [id, name, tagKey(kind, name), place, base, uses].forEach((value, at) => {
      (columns[at] as unknown[]).push(value);
    });
  };
  for (const book of books) {
    const uses = used.get(book.id as number);
    book.tags.forEach(({ name, count }, at) => {
      add(book, name, Math.min(at, NO_SORT_ORDER), count, uses?.get(name) ?? 0);
      uses?.delete(name);
    });
    // Tags that no import has named come after those with the same count.
    for (const [name, count] of uses ?? []) add(book, name, NO_SORT_ORDER, 0, count);
  }
  if (columns[0].length > 0) await executor.query(WRITE_TAGS, columns);
}

async function writeSearch(executor: SqlExecutor, books: readonly BookRecord[]): Promise<void> {
  const others = books.filter(({ kind }) => kind !== 'book').map(({ id }) => id);
  if (others.length > 0) await executor.query(REMOVE_SEARCH, [others]);
  const found = books.filter(({ kind }) => kind === 'book');
  if (found.length === 0) return;
  const texts = found.map(bookSearchText);
  await executor.query(WRITE_SEARCH, [
    found.map(({ id }) => id),
    texts.map(({ title }) => title),
    texts.map(({ body }) => body),
    texts.map(({ terms }) => terms.join('\u0001')),
  ]);
}
