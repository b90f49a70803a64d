import { type PageQuery } from '../api/resources/page';
import { statement, type Statement } from '../database/database';
import { paginated } from '../database/page-of';
import { isVisibleSql } from '../moderation/visibility.sql';
import { type CollectionsInput } from './books.input';
import { bookJson, COLLECTION_COLUMNS } from './books.sql';

/** SQL condition: counts by tag and by month of the collections of a user are precomputed. */
export const isLargeCollectorSql = (user: string): string =>
  `EXISTS (SELECT FROM large_collectors l WHERE l.user_id = ${user})`;

/** SQL condition: a viewer sees what is counted in a row `k`. */
export const countVisibleSql = (user: string, viewer: string): string =>
  `(NOT k.author_only OR ${user} = ${viewer})`;

/** SQL condition: rows `k` for status $5 and rating $6. Those without status count all. */
const COUNT_FILTER = `k.status = ANY (CASE WHEN $5::text IS NOT NULL THEN ARRAY[$5]
    WHEN $6::int IS NULL THEN ARRAY[''] ELSE ARRAY['wish', 'reading', 'read'] END)
  AND ($6::int IS NULL OR k.rating = $6)`;
const ROW_FILTER = `($5::text IS NULL OR c.status = $5) AND ($6::int IS NULL OR c.rating = $6)`;

/** Collections of user $3 with status $5 and rating $6 that viewer $4 sees. */
const visible = (filters: string): string =>
  `SELECT c.id, c.updated_at FROM collections c
   WHERE c.user_id = $3 AND ${isVisibleSql('c', '$4')} AND ${ROW_FILTER} ${filters}`;

const collectionList = (
  name: string,
  parts: { readonly hits: string; readonly inOrder?: boolean; readonly total?: string },
): Statement =>
  statement(
    name,
    paginated({
      ...parts,
      key: 'id',
      order: ['updated_at DESC', 'id DESC'],
      columns: `${COLLECTION_COLUMNS}, ${bookJson('b', 's')} AS book`,
      joins: `LEFT JOIN collections c ON c.id = p.id LEFT JOIN books b ON b.id = c.book_id
        LEFT JOIN series s ON s.id = b.series_id`,
      limit: ['$1', '$2'],
    }),
  );

/** A user's collections without tag and time; the benchmark uses it too. */
export const OF_USER = collectionList('collections.of_user', {
  hits: visible(''),
  inOrder: true,
  total: `SELECT coalesce(sum(k.collections), 0) FROM collection_counts k
    WHERE k.user_id = $3 AND ${countVisibleSql('$3', '$4')}
      AND ($5::text IS NULL OR k.status = $5) AND ($6::int IS NULL OR k.rating = $6)`,
});

/**
 * Of a large collector, an index has the hits in order and counters have their number, so that only
 * those up to the page are read. Of others, all hits are read and counted.
 */
const precomputedOrCounted = (
  name: string,
  precomputed: { hits: string; total: string },
  counted: string,
) =>
  collectionList(name, {
    hits: `(${precomputed.hits} ORDER BY updated_at DESC, id DESC LIMIT $1::bigint + $2::bigint)
      UNION ALL (${counted} AND NOT ${isLargeCollectorSql('$3')})`,
    total: `SELECT CASE WHEN ${isLargeCollectorSql('$3')} THEN (${precomputed.total})
      ELSE (SELECT count(*) FROM hits) END`,
  });

/** SQL of collections of a large collector with tag $7. */
const tagged = (filters: string): string => `
  SELECT t.collection_id AS id, t.updated_at FROM large_collector_tags t
  WHERE t.user_id = $3 AND t.tag = $7 COLLATE "C" AND (NOT t.author_only OR $3 = $4)
    AND ($5::text IS NULL OR t.status = $5) AND ($6::int IS NULL OR t.rating = $6) ${filters}`;

const WITH_TAG = precomputedOrCounted(
  'collections.with_tag',
  {
    hits: tagged(''),
    total: `SELECT coalesce(sum(k.collections), 0) FROM large_collector_counts k
      WHERE k.user_id = $3 AND k.tag = $7 COLLATE "C" AND k.month_index = 0 AND ${COUNT_FILTER}
        AND ${countVisibleSql('$3', '$4')}`,
  },
  visible('AND $7 = ANY(c.tags)'),
);

const inSpan = (row: string, from: string, to: string): string =>
  `AND (${from}::timestamptz IS NULL OR ${row}.updated_at >= ${from})
   AND (${to}::timestamptz IS NULL OR ${row}.updated_at <= ${to})`;

const WITH_TAG_IN_SPAN = precomputedOrCounted(
  'collections.with_tag_in_span',
  {
    hits: tagged(inSpan('t', '$8', '$9')),
    total: `SELECT count(*) FROM (${tagged(inSpan('t', '$8', '$9'))}) t`,
  },
  visible(`AND $7 = ANY(c.tags) ${inSpan('c', '$8', '$9')}`),
);

/** SQL of the start of the month of a time in UTC, plus a number of months. */
const startOfMonth = (time: string, plus: 0 | 1): string =>
  `((date_trunc('month', ${time}::timestamptz AT TIME ZONE 'UTC') + interval '${plus} month')
    AT TIME ZONE 'UTC')`;

/**
 * SQL of the number of collections from $7 to $8: of the months that are completely in it, and of
 * the rows before and after them. Without such a month, all rows are before them.
 */
const COUNT_IN_SPAN = `
  WITH months AS (
    SELECT ${startOfMonth('$7', 1)} AS starts_at, ${startOfMonth('$8', 0)} AS ends_at
  ), bounds AS (
    SELECT starts_at, ends_at, coalesce(starts_at < ends_at, true) AS has_complete_month FROM months
  )
  SELECT coalesce((
      SELECT sum(k.collections) FROM large_collector_counts k
      WHERE (SELECT has_complete_month FROM bounds) AND k.user_id = $3 AND k.tag = ''
        AND k.month_index >= coalesce((SELECT utc_month_index(starts_at) FROM bounds), -2147483648)
        AND k.month_index < coalesce((SELECT utc_month_index(ends_at) FROM bounds), 2147483647)
        AND k.month_index <> 0 AND ${COUNT_FILTER} AND ${countVisibleSql('$3', '$4')}), 0)
    + (SELECT count(*) FROM (${visible(`AND c.updated_at >= $7::timestamptz
        AND c.updated_at < (SELECT CASE WHEN has_complete_month THEN starts_at ELSE 'infinity' END
          FROM bounds)
        AND ($8::timestamptz IS NULL OR c.updated_at <= $8)`)}) e)
    + (SELECT count(*) FROM (${visible(`AND (SELECT has_complete_month FROM bounds)
        AND c.updated_at >= (SELECT ends_at FROM bounds) AND c.updated_at <= $8::timestamptz`)}) e)`;

const IN_SPAN = precomputedOrCounted(
  'collections.in_span',
  {
    hits: `${visible(inSpan('c', '$7', '$8'))} AND ${isLargeCollectorSql('$3')}`,
    total: COUNT_IN_SPAN,
  },
  visible(inSpan('c', '$7', '$8')),
);

/** A bound of a time filter; PostgreSQL reads a time without a zone in `TIME_ZONE` (D42). */
const timeText = (time: Date | string | undefined): string | null =>
  time instanceof Date ? time.toISOString() : (time ?? null);

/** The statement of a list of a user's collections with its parameters. */
export function userCollections(
  userId: number,
  viewer: number | undefined,
  { status, rating, tag, from, to }: CollectionsInput,
  { start, count }: PageQuery,
): { readonly statement: Statement; readonly values: unknown[] } {
  const all = [count, start, userId, viewer ?? null, status ?? null, rating ?? null];
  const span = [timeText(from), timeText(to)];
  const hasSpan = span.some((time) => time !== null);
  if (tag !== undefined) {
    return hasSpan
      ? { statement: WITH_TAG_IN_SPAN, values: [...all, tag, ...span] }
      : { statement: WITH_TAG, values: [...all, tag] };
  }
  return hasSpan
    ? { statement: IN_SPAN, values: [...all, ...span] }
    : { statement: OF_USER, values: all };
}
