import { type Page } from '../api/resources/page';

/**
 * Long texts of the elements of a page. The page ends before the texts exceed `maxBytes` in UTF-8,
 * but has at least one element: 100 texts may have 20 MB, and a response ends earlier in any case.
 */
export interface LongTexts {
  /** The table and column of the texts. The key of the hits is the `id` of the table. */
  readonly table: string;
  readonly column: string;
  /** A parameter. */
  readonly maxBytes: string;
}

/** SQL of the elements of a page up to a number of bytes. PostgreSQL knows sizes without the texts. */
function upToBytes(page: string, order: readonly string[], texts: LongTexts): string {
  const bytes = `octet_length(n.${texts.column})`;
  const inOrder = order.map((column) => `l.${column}`).join(', ');
  return `SELECT * FROM (
      SELECT l.*, ${bytes} AS text_bytes,
        sum(${bytes}) OVER (ORDER BY ${inOrder} ROWS UNBOUNDED PRECEDING) AS page_bytes,
        count(*) OVER () AS page_count
      FROM (${page}) l JOIN ${texts.table} n ON n.id = l.id) sized
    WHERE page_bytes <= ${texts.maxBytes}::int OR page_bytes = text_bytes`;
}

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
  /** Texts that may fill the memory. */
  longTexts?: LongTexts;
  /** SQL of the number of all hits, where a counter has it; otherwise they are counted. */
  total?: string;
  /** The parameters of count and start. */
  limit: readonly [count: string, start: string];
}): string => {
  const order = parts.order.join(', ');
  const page = `SELECT * FROM hits ORDER BY ${order} LIMIT ${parts.limit[0]} OFFSET ${parts.limit[1]}`;
  return `
  WITH ${parts.ctes === undefined ? '' : `${parts.ctes},`} hits AS ${parts.inOrder === true ? 'NOT MATERIALIZED' : 'MATERIALIZED'} (${parts.hits}),
  page AS (${parts.longTexts ? upToBytes(page, parts.order, parts.longTexts) : page})
  SELECT (${parts.total ?? 'SELECT count(*) FROM hits'})::int AS total, p.${parts.key} IS NOT NULL AS hit,
    ${parts.longTexts ? 'p.page_count::int AS page_count,' : ''}
    ${parts.columns}
  FROM (${parts.of ?? 'SELECT 1'}) one LEFT JOIN page p ON true ${parts.joins ?? ''}
  ORDER BY ${parts.order.map((column) => `p.${column}`).join(', ')}`;
};

/** One row of {@link paginated}. */
export interface PageRow {
  readonly total: number;
  readonly hit: boolean;
  /** With `longTexts`: the number of elements that the page would have without the limit. */
  readonly page_count?: number | null;
}

/** Converts rows of {@link paginated} to a page. */
export function toPage<T extends PageRow>(rows: readonly T[], start: number): Page<T> {
  const items = rows.filter((row) => row.hit);
  const [first] = rows;
  const isCut = (first?.page_count ?? 0) > items.length;
  return { start, total: first?.total ?? 0, items, ...(isCut && { isCut }) };
}
