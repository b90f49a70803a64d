import { statement, type SqlExecutor, type Statement } from '../../database/database';

/** A limit above the number of rows of any table. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

// Removed from a count, because sorting wide rows may take longer than the export.
const ORDER = /ORDER BY [^()]*?( LIMIT \$2)?$/;

/** Counts the rows of a statement that reads rows after the id `$1`, at most `$2`. */
export function countRows(
  executor: SqlExecutor,
  { name, text }: Statement,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const rows = text.replace(ORDER, '$1');
  const count = statement(`${name}_count`, `SELECT count(*)::float8 AS n FROM (${rows}) q`);
  return readCount(executor, count, [0, NO_LIMIT, ...parameters]);
}

/** The column `n` of the only row of a statement. */
export async function readCount(
  executor: SqlExecutor,
  count: Statement,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const [row] = await executor.query<{ n: number }>(count, parameters);
  return row?.n ?? 0;
}
