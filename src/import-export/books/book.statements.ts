import { statement } from '../../database/database';

/** Selects a stored book as a `BookRecord`: the imported base without the counts of collections. */
const COLUMNS = `
  b.id::float8 AS id, b.kind, b.isbn10, b.isbn13, b.title, b.origin_title, b.alt_title, b.subtitle,
  b.image_small, b.image_medium, b.image_large, array_to_json(b.author) AS author,
  array_to_json(b.translator) AS translator, b.publisher, b.pubdate, b.binding, b.price, b.pages,
  CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'title', s.title) END AS series,
  b.author_intro, b.summary, b.catalog, b.ebook_url, b.ebook_price,
  b.rating_base_count AS raters, b.rating_base_average::text AS average,
  coalesce((SELECT json_agg(json_build_object('count', t.base_count, 'name', t.name)
      ORDER BY t.base_count DESC, t.position)
    FROM book_tags t WHERE t.book_id = b.id AND t.base_count > 0), '[]'::json) AS tags`;
const TABLES = 'books b LEFT JOIN series s ON s.id = b.series_id';

export const LOAD = statement(
  'transfer.books',
  `SELECT ${COLUMNS} FROM ${TABLES} WHERE b.id = ANY($1::bigint[])
     AND (NOT b.placeholder OR ($2::boolean AND b.deleted_at IS NOT NULL))`,
);

export const AFTER = statement(
  'transfer.books_after',
  `SELECT ${COLUMNS} FROM ${TABLES} WHERE b.id > $1
     AND (NOT b.placeholder OR ($3::boolean AND b.deleted_at IS NOT NULL)) ORDER BY b.id LIMIT $2`,
);

export const BY_ISBN = statement(
  'transfer.books_by_isbn',
  `SELECT id::float8 AS id, isbn FROM (
     SELECT id, isbn13 AS isbn FROM books WHERE isbn13 = ANY($1::text[]) AND isbn13 <> ''
     UNION ALL SELECT id, isbn10 FROM books WHERE isbn10 = ANY($1::text[]) AND isbn10 <> '') found
   ORDER BY id`,
);

/** An arbitrary lock number that no other lock uses: "isbn" in ASCII. */
const ISBN_LOCK = 0x6973626e;

/** Held until the transaction ends: two imports must not both insert the book of an ISBN. */
export const LOCK_ISBNS = statement(
  'transfer.lock_isbns',
  `SELECT pg_advisory_xact_lock(${ISBN_LOCK})`,
);

export const NEW_IDS = statement(
  'transfer.new_book_ids',
  `SELECT nextval('books_id_seq')::float8 AS id FROM generate_series(1, $1::int)`,
);

export const PLACEHOLDERS = statement(
  'transfer.placeholder_books',
  `INSERT INTO books (id, title, placeholder) SELECT id, '', true FROM unnest($1::bigint[]) id ORDER BY id
   ON CONFLICT (id) DO NOTHING`,
);

export const WRITE_SERIES = statement(
  'transfer.write_series',
  `INSERT INTO series (id, title)
   SELECT DISTINCT ON (r.id) r.id, r.title FROM json_to_recordset($1::json) AS r(id bigint, title text)
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET title = EXCLUDED.title
   WHERE EXCLUDED.title <> '' AND series.title <> EXCLUDED.title`,
);

const FIELDS = [
  ['kind', 'text'],
  ['isbn10', 'text'],
  ['isbn13', 'text'],
  ['title', 'text'],
  ['origin_title', 'text'],
  ['alt_title', 'text'],
  ['subtitle', 'text'],
  ['image_small', 'text'],
  ['image_medium', 'text'],
  ['image_large', 'text'],
  ['author', 'text[]'],
  ['translator', 'text[]'],
  ['publisher', 'text'],
  ['pubdate', 'text'],
  ['published_on', 'integer'],
  ['binding', 'text'],
  ['price', 'text'],
  ['pages', 'text'],
  ['series_id', 'bigint'],
  ['author_intro', 'text'],
  ['summary', 'text'],
  ['catalog', 'text'],
  ['ebook_url', 'text'],
  ['ebook_price', 'text'],
  ['rating_base_count', 'integer'],
  ['rating_base_average', 'numeric'],
] as const;
const NAMES = FIELDS.map(([name]) => name);

export const WRITE_BOOKS = statement(
  'transfer.write_books',
  `INSERT INTO books (id, ${NAMES.join(', ')})
   SELECT r.id, ${NAMES.map((name) => `r.${name}`).join(', ')}
   FROM json_to_recordset($1::json)
     AS r(id bigint, ${FIELDS.map(([name, type]) => `${name} ${type}`).join(', ')})
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET placeholder = false, deleted_at = NULL, updated_at = date_trunc('second', now()),
     ${NAMES.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
);

/** Adds the collections' tag counts to the new base counts, in the new order. */
export const TAKE_TAGS = statement(
  'transfer.take_tags',
  `DELETE FROM book_tags WHERE book_id = ANY($1::bigint[])
   RETURNING book_id::float8 AS book_id, name, used_count`,
);

export const WRITE_TAGS = statement(
  'transfer.write_tags',
  `INSERT INTO book_tags (book_id, name, folded, position, base_count, used_count)
   SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::int[], $6::int[])`,
);

/** Joins the terms with a character that cannot occur in text. */
export const WRITE_SEARCH = statement(
  'transfer.write_search',
  `INSERT INTO book_search (book_id, title, body, terms, popularity)
   SELECT r.id, r.title, r.body, array_to_tsvector(string_to_array(r.terms, E'\\x01')),
     b.rating_base_count + b.rating_count
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS r(id, title, body, terms)
   JOIN books b ON b.id = r.id
   ON CONFLICT (book_id) DO UPDATE SET title = EXCLUDED.title, body = EXCLUDED.body,
     terms = EXCLUDED.terms, popularity = EXCLUDED.popularity`,
);

/** A larger pending list of the search index, in kB, halves the duration of an import. */
export const RAISE_GIN_PENDING_LIMIT = statement(
  'transfer.gather_terms',
  `SELECT set_config('gin_pending_list_limit', '16384', true)`,
);

/** Merges the pending list into the index, because searches scan the pending list sequentially. */
export const FLUSH_GIN_PENDING = statement(
  'transfer.sort_terms',
  `SELECT gin_clean_pending_list('book_search_terms'::regclass)`,
);

export const REMOVE_SEARCH = statement(
  'transfer.remove_search',
  'DELETE FROM book_search WHERE book_id = ANY($1::bigint[])',
);
