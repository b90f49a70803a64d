import { type Page } from '../api/resources/page';
import { toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { TAGS_IN_BOOK } from './books.resources';

/**
 * The average on a scale of 10 with one decimal (D20). An imported average of 0.0 means unknown:
 * its raters count, but not their ratings.
 */
const AVERAGE = (b: string): string => {
  const weight = `CASE WHEN ${b}.rating_base_average > 0 THEN ${b}.rating_base_count ELSE 0 END`;
  return `to_char(coalesce(round(
    (${b}.rating_base_average * (${weight}) + ${b}.rating_sum * 2)
    / nullif((${weight}) + ${b}.rating_count, 0), 1), 0), 'FM990.0')`;
};

const TAGS = (b: string): string => `coalesce((
  SELECT json_agg(json_build_object('count', t.count, 'name', t.name))
  FROM (SELECT count, name FROM book_tags WHERE book_id = ${b}.id
        ORDER BY count DESC, position, name LIMIT ${TAGS_IN_BOOK}) t), '[]'::json)`;

/** Columns of a book, from the `books` row named `b` and its series named `s`. */
export const bookColumns = (b = 'b', s = 's'): string => `
  ${b}.id, ${b}.kind, ${b}.placeholder, ${b}.isbn10, ${b}.isbn13, ${b}.title, ${b}.origin_title, ${b}.alt_title,
  ${b}.subtitle, ${b}.image_small, ${b}.image_medium, ${b}.image_large,
  array_to_json(${b}.author) AS author, array_to_json(${b}.translator) AS translator,
  ${b}.publisher, ${b}.pubdate, ${b}.rating_base_count + ${b}.rating_count AS num_raters,
  ${AVERAGE(b)} AS average, ${TAGS(b)} AS tags, ${b}.binding, ${b}.price, ${b}.pages,
  CASE WHEN ${s}.id IS NULL THEN NULL
    ELSE json_build_object('id', ${s}.id::text, 'title', ${s}.title) END AS series,
  ${b}.author_intro, ${b}.summary, ${b}.catalog, ${b}.ebook_url, ${b}.ebook_price`;

/** Tables of {@link bookColumns}. */
export const BOOK_TABLES = 'books b LEFT JOIN series s ON s.id = b.series_id';

/** A book as a JSON value, for lists of other resources. */
export const bookJson = (b = 'b', s = 's'): string =>
  `(SELECT row_to_json(book) FROM (SELECT ${bookColumns(b, s)}) book)`;

/** The caller's own collection of book `b`, as JSON; `me` is the parameter with the user's id. */
export const ownCollection = (me: string, b = 'b'): string => `
  (SELECT json_build_object('id', c.id::text, 'user_id', c.user_id::text,
     'book_id', c.book_id::text, 'status', c.status, 'rating', c.rating,
     'updated', ${wireTime('c.updated_at')})
   FROM collections c WHERE c.book_id = ${b}.id AND c.user_id = ${me}) AS current_user_collection`;

/** Columns of a collection, from the row named `c`. */
export const COLLECTION_COLUMNS = `
  c.id, c.user_id, c.book_id, c.status, c.rating, c.comment, array_to_json(c.tags) AS tags,
  ${wireTime('c.updated_at')} AS updated`;

/** Columns of an annotation, from the row named `n`. */
export const annotationColumns = (content = 'n.content'): string => `
  n.id, n.book_id, n.user_id AS author_id, n.chapter, n.page_no, n.private, n.hidden, ${content} AS content, n.photos,
  n.last_photo, n.comments_count, ${wireTime('n.updated_at')} AS time`;

/** The kind of the book, for lists by book. */
export const kindOf = (bookId: string): string =>
  `(SELECT kind FROM books WHERE id = ${bookId}) AS book_kind`;

/** A page of a book's list with the kind of the book: null when not found. */
export interface PageOfBook<T> extends Page<T> {
  readonly kind: string | null;
}

/** Makes the page from rows of {@link pageOf} with {@link kindOf}. */
export function toPageOfBook<T extends PageRow & { readonly book_kind?: string | null }>(
  rows: readonly T[],
  start: number,
): PageOfBook<T> {
  return { ...toPage(rows, start), kind: rows[0]?.book_kind ?? null };
}

/**
 * The id of the book `$2`, locked until the end of the transaction against deletion and merging. A
 * book that another transaction deletes meanwhile is not found.
 */
export const KEPT_BOOK = 'SELECT id FROM books WHERE id = $2 AND NOT placeholder FOR KEY SHARE';
