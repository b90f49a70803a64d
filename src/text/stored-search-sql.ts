import { statement, type Statement } from '../database/statement';
import { rank, type SearchedBy, type SearchPlace, type SearchTables } from './search-sql';

/** Hits that a stored search has at most, in the order of the search. */
export const MAX_STORED_HITS = 1000;
/**
 * Stored searches from which on no further ones are stored until `prune-stored-searches` has run:
 * one has up to 16.7 KB, so that all have at most 200 MB.
 */
export const MAX_STORED_SEARCHES = 12_000;
/** Hits that it should have, so that it has those of the first pages. */
const MIN_STORED_HITS = 500;
/** Changed rows that a search compares with a stored one. */
const MAX_CHANGES = 1000;
/** Changed rows that a refresh compares; with more, the search is evaluated again. */
export const MAX_REFRESHED_CHANGES = 20_000;

const ORDER = 'rank, popularity DESC, id';

/** Parts of the statements of a search by words, by tag, or by both. */
interface SearchParts {
  /** SQL of the key of the stored search. */
  readonly key: string;
  /** SQL of the folded tag; not used for a search by words alone. */
  readonly tag: string;
  readonly rank: string;
  /** SQL of whether a row of search texts, or a former one, has the words. */
  readonly matches: (terms: string, body: string) => string;
}

/**
 * SQL of the key of a stored search: its phrase, for one with a tag also a line feed, which no
 * phrase contains, and the tag.
 */
function keyOf(by: SearchedBy, first: number): string {
  if (by === 'q') return `$${first}`;
  return by === 'tag'
    ? `(E'\\n' || $${first}::text)`
    : `($${first}::text || E'\\n' || $${first + 3}::text)`;
}

const partsOf = (by: SearchedBy, first: number): SearchParts => ({
  key: keyOf(by, first),
  tag: `$${by === 'tag' ? first : first + 3}`,
  rank: by === 'tag' ? '0' : rank(`$${first}`),
  matches: (terms, body) =>
    by === 'tag'
      ? `(${terms} IS NOT NULL)`
      : `(${terms} @@ $${first + 1}::tsquery AND ${body} LIKE ALL ($${first + 2}::text[]))`,
});

/** Arrays of the first hits of the table `hits`. */
const ARRAYS = `array_agg(id ORDER BY ${ORDER}) AS ids, array_agg(rank ORDER BY ${ORDER}) AS ranks,
  array_agg(popularity ORDER BY ${ORDER}) AS popularities`;
const FIRST_HITS = `SELECT ${ARRAYS}
  FROM (SELECT * FROM hits ORDER BY ${ORDER} LIMIT ${MAX_STORED_HITS}) first_hits`;

/** Changes of transactions that the snapshot of the stored search does not contain. */
const NOT_IN_SNAPSHOT = `transaction_id >= pg_snapshot_xmin(e.as_of)::text::bigint
  AND NOT pg_visible_in_snapshot(transaction_id::text::xid8, e.as_of)`;

/**
 * Queries of the records whose tag changed since the snapshot, and whether they had the tag then. A
 * record had the tag if one of its tags had the folded name. For a tag that changed, the first
 * change tells that; for the others, their present rows do.
 */
const changedTags = ({ tags, key }: SearchPlace, { tag }: SearchParts, max: number): string => `
  tag_changes AS MATERIALIZED (
    SELECT c.* FROM entry e CROSS JOIN LATERAL (
      SELECT * FROM ${tags}_changes WHERE folded = ${tag} AND ${NOT_IN_SNAPSHOT}
      ORDER BY transaction_id LIMIT ${max + 1}) c),
  changed_tags AS MATERIALIZED (
    SELECT f.${key} AS id, bool_or(f.existed) OR EXISTS (
      SELECT FROM ${tags} t WHERE t.${key} = f.${key} AND t.folded = ${tag}
        AND NOT EXISTS (SELECT FROM tag_changes x WHERE x.${key} = t.${key} AND x.name = t.name)
      ) AS was_tagged
    FROM (SELECT DISTINCT ON (c.${key}, c.name) c.${key}, c.existed FROM tag_changes c
      ORDER BY c.${key}, c.name, c.id) f
    GROUP BY f.${key}),`;

/** Whether a record has the tag of the search now. */
const isTagged = ({ tags, key }: SearchPlace, { tag }: SearchParts, id: string): string =>
  `EXISTS (SELECT FROM ${tags} t WHERE t.${key} = ${id} AND t.folded = ${tag})`;

/**
 * Queries of a stored search as of now: `entry` is the stored search, `hits` its first hits with
 * all changes since, and `summary` one row. Rows that changed since are in the tables of changes:
 * transactions that the snapshot of the entry does not contain. The first change of a row tells
 * whether the row existed, and the first change of its text has the former text.
 */
function current(place: SearchPlace, by: SearchedBy, maxChanges: number): string {
  const { texts, tags, key, first } = place;
  const parts = partsOf(by, first);
  const { matches } = parts;
  const hasTag = by !== 'q';
  const [and, tagged] = hasTag
    ? [(sql: string) => ` AND ${sql}`, isTagged(place, parts, 'c.id')]
    : [() => '', ''];
  return `
  entry AS MATERIALIZED (
    SELECT total, as_of::pg_snapshot AS as_of, ids, ranks, popularities FROM search_results
    WHERE source = '${texts}' AND phrase = ${parts.key}
      AND server_started_at = pg_postmaster_start_time()),
  changes AS MATERIALIZED (
    SELECT c.* FROM entry e CROSS JOIN LATERAL (
      SELECT * FROM ${texts}_changes WHERE ${NOT_IN_SNAPSHOT}
      ORDER BY transaction_id LIMIT ${maxChanges + 1}) c),
  changed_texts AS MATERIALIZED (
    SELECT f.${key} AS id, f.existed, o.body, o.terms
    FROM (SELECT DISTINCT ON (${key}) ${key}, existed FROM changes ORDER BY ${key}, id) f
    LEFT JOIN (SELECT DISTINCT ON (${key}) ${key}, body, terms FROM changes
      WHERE body IS NOT NULL ORDER BY ${key}, id) o USING (${key})),
  ${hasTag ? changedTags(place, parts, maxChanges) : ''}
  changed AS MATERIALIZED (
    SELECT * FROM changed_texts${hasTag ? ' FULL JOIN changed_tags USING (id)' : ''}),
  compared AS MATERIALIZED (
    SELECT c.id,
      coalesce(c.existed, true) AND coalesce(
        ${matches('coalesce(c.terms, s.terms)', 'coalesce(c.body, s.body)')}, false
      )${and(`coalesce(c.was_tagged, ${tagged})`)} AS matched,
      coalesce(${matches('s.terms', 's.body')}, false)${and(tagged)} AS matches,
      ${parts.rank} AS rank, s.popularity
    FROM changed c LEFT JOIN ${texts} s ON s.${key} = c.id),
  last AS MATERIALIZED (
    SELECT total = n AS complete, ranks[n] AS rank, popularities[n] AS popularity, ids[n] AS id
    FROM (SELECT *, cardinality(ids) AS n FROM entry) e),
  hits AS MATERIALIZED (
    SELECT h.id, h.rank, h.popularity
    FROM entry e, unnest(e.ids, e.ranks, e.popularities) AS h(id, rank, popularity)
    WHERE h.id NOT IN (SELECT id FROM changed)
    UNION ALL
    SELECT c.id, c.rank, c.popularity FROM compared c, last l
    WHERE c.matches
      AND (l.complete OR (c.rank, -c.popularity, c.id) <= (l.rank, -l.popularity, l.id))),
  summary AS MATERIALIZED (
    SELECT total::int, changes::int, hits::int,
      total IS NOT NULL AND changes <= ${maxChanges}${and(
        `NOT EXISTS (SELECT FROM entry e, ${tags}_changes WHERE folded = '' AND ${NOT_IN_SNAPSHOT})`,
      )} AS exact
    FROM (SELECT
      (SELECT total FROM entry) + (SELECT count(*) FILTER (WHERE matches)
        - count(*) FILTER (WHERE matched) FROM compared) AS total,
      (SELECT count(*) FROM changes)${hasTag ? ' + (SELECT count(*) FROM tag_changes)' : ''} AS changes,
      (SELECT count(*) FROM hits) AS hits) s)`;
}

/** State of a stored search, in each row of {@link storedPage}. */
export interface StoredState {
  /** Whether the page and the total are exact; otherwise the page is empty. */
  readonly usable: boolean;
  /** Whether the search should be refreshed. */
  readonly outdated: boolean;
}

/** A page of a stored search. @param columns and joins as for `paginated`, of a page `p` */
export const storedPage = (
  place: SearchPlace,
  by: SearchedBy,
  { columns, joins }: { readonly columns: string; readonly joins: string },
): string => `
  WITH ${current(place, by, MAX_CHANGES)},
  state AS MATERIALIZED (
    SELECT total,
      exact AND (hits = total OR $1::bigint + $2::bigint <= hits OR $2::bigint >= total) AS usable,
      NOT exact OR changes > 100 OR (hits < total AND hits < ${MIN_STORED_HITS}) AS outdated
    FROM summary),
  page AS (
    SELECT id AS ${place.key}, rank, popularity FROM hits ORDER BY ${ORDER} LIMIT $1 OFFSET $2)
  SELECT one.total, one.usable, one.outdated, p.${place.key} IS NOT NULL AS hit, ${columns}
  FROM state one LEFT JOIN page p ON one.usable ${joins}
  ORDER BY p.rank, p.popularity DESC, p.${place.key}`;

/** Statements that store a search; their parameters are `values` of `Wanted`. */
export interface StoringStatements {
  /** Applies the changes since; returns a row if the stored search is exact then. */
  readonly refresh: Statement;
  /** Evaluates the search and stores it. */
  readonly store: Statement;
}

/** Statements that store searches of a table. */
export function storingStatements(tables: SearchTables, by: SearchedBy): StoringStatements {
  const place = { ...tables, first: 1 };
  const { texts, key } = place;
  const parts = partsOf(by, 1);
  const tagged = by === 'q' ? '' : ` AND ${isTagged(place, parts, `s.${key}`)}`;
  return {
    refresh: statement(
      `${texts}.refresh_stored_${by}`,
      `WITH ${current(place, by, MAX_REFRESHED_CHANGES)}
       UPDATE search_results r SET total = s.total, as_of = pg_current_snapshot()::text,
         ids = coalesce(f.ids, '{}'), ranks = coalesce(f.ranks, '{}'),
         popularities = coalesce(f.popularities, '{}'), stored_at = now()
       FROM summary s, (${FIRST_HITS}) f
       WHERE r.source = '${texts}' AND r.phrase = ${parts.key}
         AND r.server_started_at = pg_postmaster_start_time()
         AND s.exact AND (s.hits = s.total OR s.hits >= ${MIN_STORED_HITS})
       RETURNING 1`,
    ),
    store: statement(
      `${texts}.store_${by}`,
      `WITH hits AS MATERIALIZED (
         SELECT s.${key} AS id, ${parts.rank} AS rank, s.popularity FROM ${texts} s
         WHERE ${parts.matches('s.terms', 's.body')}${tagged})
       INSERT INTO search_results (source, phrase, total, as_of, server_started_at, ids, ranks,
         popularities)
       SELECT '${texts}', ${parts.key}, (SELECT count(*) FROM hits),
         pg_current_snapshot()::text, pg_postmaster_start_time(), coalesce(ids, '{}'),
         coalesce(ranks, '{}'), coalesce(popularities, '{}')
       FROM (${FIRST_HITS}) f
       WHERE (SELECT count(*) FROM search_results) < ${MAX_STORED_SEARCHES}
         OR EXISTS (SELECT FROM search_results WHERE source = '${texts}' AND phrase = ${parts.key})
       ON CONFLICT (source, phrase) DO UPDATE SET total = EXCLUDED.total,
         as_of = EXCLUDED.as_of, server_started_at = EXCLUDED.server_started_at,
         ids = EXCLUDED.ids, ranks = EXCLUDED.ranks, popularities = EXCLUDED.popularities,
         stored_at = now()`,
    ),
  };
}
