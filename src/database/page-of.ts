import { type Page } from '../api/resources/page';

/**
 * A page and the number of all matches in one statement: `hits` selects the matches, `order` says
 * their order by the columns of `hits`, `columns` and `joins` describe the elements from the page
 * named `p`. Past the end one row says the total and nothing else, so that `total` is right there
 * too (D2).
 */
export const paginated = (parts: {
  hits: string;
  /**
   * An index has the hits in their order: only those of the page are read, and all of them counted.
   * Without, all of them are read once.
   */
  inOrder?: boolean;
  /** What the list belongs to, one row or none at all; without it there are no rows either. */
  of?: string;
  /** A column of `hits` that is never null. */
  key: string;
  order: readonly string[];
  columns: string;
  joins?: string;
  /** The parameters that hold count and start. */
  limit: readonly [count: string, start: string];
}): string => `
  WITH hits AS ${parts.inOrder === true ? 'NOT MATERIALIZED' : 'MATERIALIZED'} (${parts.hits}),
  page AS (
    SELECT * FROM hits ORDER BY ${parts.order.join(', ')}
    LIMIT ${parts.limit[0]} OFFSET ${parts.limit[1]}
  )
  SELECT (SELECT count(*) FROM hits)::int AS total, p.${parts.key} IS NOT NULL AS hit,
    ${parts.columns}
  FROM (${parts.of ?? 'SELECT 1'}) one LEFT JOIN page p ON true ${parts.joins ?? ''}
  ORDER BY ${parts.order.map((column) => `p.${column}`).join(', ')}`;

/** One row of {@link paginated}. */
export interface PageRow {
  readonly total: number;
  readonly hit: boolean;
}

/** The page that rows of {@link paginated} are. */
export function toPage<T extends PageRow>(rows: readonly T[], start: number): Page<T> {
  return { start, total: rows[0]?.total ?? 0, items: rows.filter((row) => row.hit) };
}
