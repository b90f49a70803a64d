import { type Page } from '../api/resources/page';

/**
 * A page and the total number of matches in one statement. `hits` selects the matches, `order`
 * sorts them by columns of `hits`, and `columns` and `joins` describe the elements of the page `p`.
 * Past the end, one row contains only the total, so that `total` is correct there too (D2).
 */
export const paginated = (parts: {
  /** Common table expressions that `hits` and `total` use. */
  ctes?: string;
  hits: string;
  /**
   * Whether an index has the hits in order: then it reads only those of the page, and counts all.
   * Otherwise it reads all of them once.
   */
  inOrder?: boolean;
  /** Query of the list's parent, with one row or none; without a parent row there are no rows. */
  of?: string;
  /** A column of `hits` that is never null. */
  key: string;
  order: readonly string[];
  columns: string;
  joins?: string;
  /** SQL of the number of all hits, where a counter has it; otherwise they are counted. */
  total?: string;
  /** The parameters of count and start. */
  limit: readonly [count: string, start: string];
}): string => `
  WITH ${parts.ctes === undefined ? '' : `${parts.ctes},`} hits AS ${parts.inOrder === true ? 'NOT MATERIALIZED' : 'MATERIALIZED'} (${parts.hits}),
  page AS (
    SELECT * FROM hits ORDER BY ${parts.order.join(', ')}
    LIMIT ${parts.limit[0]} OFFSET ${parts.limit[1]}
  )
  SELECT (${parts.total ?? 'SELECT count(*) FROM hits'})::int AS total, p.${parts.key} IS NOT NULL AS hit,
    ${parts.columns}
  FROM (${parts.of ?? 'SELECT 1'}) one LEFT JOIN page p ON true ${parts.joins ?? ''}
  ORDER BY ${parts.order.map((column) => `p.${column}`).join(', ')}`;

/** One row of {@link paginated}. */
export interface PageRow {
  readonly total: number;
  readonly hit: boolean;
}

/** Converts rows of {@link paginated} to a page. */
export function toPage<T extends PageRow>(rows: readonly T[], start: number): Page<T> {
  return { start, total: rows[0]?.total ?? 0, items: rows.filter((row) => row.hit) };
}
