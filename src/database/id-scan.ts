import { type SqlExecutor, type Statement, statement } from './statement';

/** A row of a table, and whether it is listed. */
export interface ScannedId {
  readonly id: number;
  readonly listed: boolean;
}

/** Statements that read a table in the order of its ids; see {@link idScan}. */
export interface IdScanStatements {
  readonly rows: Statement;
  readonly span: Statement;
}

/**
 * Declares the statements of an {@link IdScan}. The number of rows that they read is their limit,
 * also if few of the rows are listed.
 *
 * @param name name of the statements, for example `book_pages.site_map`
 * @param table table and alias, such as `books b`
 * @param listed SQL condition of rows that are listed
 * @param columns further columns of the rows
 */
export function idScan(
  name: string,
  table: string,
  listed: string,
  columns: readonly string[] = [],
): IdScanStatements {
  const alias = table.split(' ').at(-1) ?? table;
  const rows = `SELECT ${[`${alias}.id::float8 AS id`, `(${listed}) IS TRUE AS listed`, ...columns].join(', ')}
    FROM ${table} WHERE ${alias}.id > $1 ORDER BY ${alias}.id LIMIT $2`;
  return {
    rows: statement(name, rows),
    span: statement(
      `${name}_span`,
      `SELECT max(r.id) AS last, bool_or(r.listed) AS listed FROM (${rows}) r`,
    ),
  };
}

/** Reads a table in the order of its ids, in statements of bounded size. */
export class IdScan<Row extends ScannedId = ScannedId> {
  constructor(
    private readonly executor: SqlExecutor,
    private readonly statements: IdScanStatements,
  ) {}

  /** The next rows after an id, listed or not. */
  listRows(after: number, count: number): Promise<Row[]> {
    return this.executor.query<Row>(this.statements.rows, [after, count]);
  }

  /** The last id of these rows, and whether one of them is listed; undefined if there are none. */
  async findSpan(
    after: number,
    count: number,
  ): Promise<{ last: number; listed: boolean } | undefined> {
    const [span] = await this.executor.query<{ last: number | null; listed: boolean | null }>(
      this.statements.span,
      [after, count],
    );
    if (typeof span?.last !== 'number') return undefined;
    return { last: span.last, listed: span.listed === true };
  }
}
