import { type PageQuery } from '../api/resources/page';
import { statement, type Statement } from '../database/database';
import { listTotal } from '../database/list-counts';
import { paginated, type LongTexts } from '../database/page-of';
import { authorOnlySql, isVisibleSql } from '../moderation/visibility.sql';
import { excerptSourceSql } from '../text/head';
import { longTextsOf, maxTextBytes } from '../text/long-texts';
import { userJson } from '../users/users.resources';
import { type AnnotationsInput } from './books.input';
import { annotationColumns, bookJson, kindOf } from './books.sql';

/** The format of the contents in a list; `abstract` reads their beginnings only. */
export type AnnotationFormat = AnnotationsInput['format'] | 'abstract';

/** The annotations of a book to list. */
export type AnnotationsQuery = Omit<AnnotationsInput, 'format'> & {
  readonly format: AnnotationFormat;
};

const columnsWith = (content?: string): string =>
  `${annotationColumns(content)}, ${bookJson('b', 's')} AS book, ${userJson('u')} AS author_user`;
/** Columns of the annotation `n` with its book and author. */
export const ANNOTATION_WITH_BOOK = columnsWith();
const BEGINNINGS = columnsWith(excerptSourceSql('n.content'));

const JOINS = `
  LEFT JOIN annotations n ON n.id = p.id LEFT JOIN books b ON b.id = n.book_id
  LEFT JOIN series s ON s.id = b.series_id LEFT JOIN users u ON u.id = n.user_id`;

/** What lists read: whole texts until they have a number of bytes, or the beginnings of all. */
interface ListedTexts {
  readonly columns: string;
  readonly longTexts?: LongTexts;
}

/** @param maxBytes parameter of {@link maxTextBytes} */
const wholeTexts = (maxBytes: string): ListedTexts => ({
  columns: ANNOTATION_WITH_BOOK,
  longTexts: longTextsOf('annotations', maxBytes),
});

const ofUser = (name: string, texts: ListedTexts): Statement =>
  statement(
    `annotations.${name}`,
    paginated({
      ...texts,
      hits: `SELECT n.id, n.updated_at FROM annotations n
      WHERE n.user_id = $3 AND ${isVisibleSql('n', '$4')}`,
      inOrder: true,
      total: listTotal('userAnnotations', '$3', 'CASE WHEN $3 = $4 THEN 2 ELSE 0 END'),
      key: 'id',
      order: ['updated_at DESC', 'id DESC'],
      joins: JOINS,
      limit: ['$1', '$2'],
    }),
  );
const OF_USER = ofUser('of_user', wholeTexts('$5'));
const BEGINNINGS_OF_USER = ofUser('beginnings_of_user', { columns: BEGINNINGS });

const ORDERS: Record<AnnotationsInput['order'], string[]> = {
  collect: ['updated_at DESC', 'id DESC'],
  rank: ['votes DESC', 'updated_at DESC', 'id DESC'],
  // Annotations with only a chapter have page 0 and sort last (D24).
  page: ['chapters_last', 'page_no', 'id'],
};

// Only public ones, even for their author: the specification requires it.
const ofBook = (
  name: string,
  order: AnnotationsInput['order'],
  texts: ListedTexts,
  page?: string,
): Statement =>
  statement(
    `annotations.${name}_${order}`,
    paginated({
      ...texts,
      hits: `SELECT n.id, n.updated_at, n.votes, n.page_no, n.page_no = 0 AS chapters_last
        FROM annotations n
        WHERE n.book_id = $3 AND NOT ${authorOnlySql('n')} ${page ?? ''}`,
      // With a total, an index has the page in order.
      ...(page === undefined && { inOrder: true, total: listTotal('bookAnnotations', '$3') }),
      key: 'id',
      order: ORDERS[order],
      columns: `${texts.columns}, ${kindOf('$3')}`,
      joins: JOINS,
      limit: ['$1', '$2'],
    }),
  );
const inOrders = <T>(of: (order: AnnotationsInput['order']) => T) => ({
  collect: of('collect'),
  rank: of('rank'),
  page: of('page'),
});
const OF_BOOK = inOrders((order) => ofBook('of_book', order, wholeTexts('$4')));
const BEGINNINGS_OF_BOOK = inOrders((order) =>
  ofBook('beginnings_of_book', order, { columns: BEGINNINGS }),
);

// The index has the annotations with page 0 apart.
const ON_PAGE = 'AND n.page_no = $4::int AND (n.page_no = 0) = ($4 = 0)';
const OF_PAGE = inOrders((order) => ofBook('of_page', order, wholeTexts('$5'), ON_PAGE));

/** A statement with its values. */
interface List {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** The annotations of a user that are visible to a viewer, newest first (D21). */
export function userAnnotations(
  userId: number,
  viewer: number | undefined,
  page: PageQuery,
  format: AnnotationFormat,
): List {
  const values = [page.count, page.start, userId, viewer ?? null];
  return format === 'abstract'
    ? { statement: BEGINNINGS_OF_USER, values }
    : { statement: OF_USER, values: [...values, maxTextBytes()] };
}

/** The public annotations of a book, with the kind of the book. */
export function bookAnnotations(
  bookId: number,
  { order, page: pageNo, format }: AnnotationsQuery,
  page: PageQuery,
): List {
  const values = [page.count, page.start, bookId];
  if (pageNo !== undefined)
    return { statement: OF_PAGE[order], values: [...values, pageNo, maxTextBytes()] };
  return format === 'abstract'
    ? { statement: BEGINNINGS_OF_BOOK[order], values }
    : { statement: OF_BOOK[order], values: [...values, maxTextBytes()] };
}
