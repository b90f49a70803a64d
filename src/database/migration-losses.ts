import { type QueryRunner } from 'typeorm';

/** The data that a schema change deletes, with numbers of rows. */
export interface Losses {
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Columns of remaining tables: rows with a value other than null and the default. */
  readonly columns: readonly {
    readonly table: string;
    readonly column: string;
    readonly rows: number;
  }[];
  /** Rows deleted from remaining tables. */
  readonly rows: readonly { readonly table: string; readonly rows: number }[];
}

interface Column {
  /** Identifies the table and the column also after a rename. */
  readonly table_id: string;
  readonly column_id: string;
  readonly table: string;
  readonly column: string;
  /** The default if it is a constant. */
  readonly constant: string | null;
}

const COLUMNS = `
SELECT c.oid::text AS table_id, c.oid || '.' || attnum AS column_id, c.relname AS table,
  attname AS column,
  CASE WHEN pg_get_expr(adbin, adrelid) ~ '^(''.*''(::[a-z ]+(\\[\\])?)?|-?[0-9.]+|true|false)$'
    THEN pg_get_expr(adbin, adrelid) END AS constant
FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid AND relkind IN ('r', 'p')
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum AND attgenerated = ''
WHERE relnamespace = current_schema()::regnamespace AND attnum > 0 AND NOT attisdropped
ORDER BY c.relname, attnum`;

const DELETED = `
SELECT relname AS table, n_tup_del::int AS rows FROM pg_stat_xact_user_tables
WHERE schemaname = current_schema() AND n_tup_del > 0 ORDER BY 1`;

/** Numbers of deleted rows by table that the connection has not reported to the statistics yet. */
async function deletedRows(runner: QueryRunner): Promise<Map<string, number>> {
  const rows = (await runner.query(DELETED)) as { table: string; rows: number }[];
  return new Map(rows.map(({ table, rows: count }) => [table, count]));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Determines the data that a schema change would delete: it runs the change in a transaction and
 * rolls back. The changed tables are locked meanwhile.
 */
export async function lossesOf(
  runner: QueryRunner,
  change: (runner: QueryRunner) => Promise<unknown>,
): Promise<Losses> {
  const columns = async () => (await runner.query(COLUMNS)) as Column[];
  const before = await columns();
  await runner.startTransaction();
  let after: Column[];
  let rows: { table: string; rows: number }[];
  try {
    // The connection may not have reported earlier transactions yet.
    const earlier = await deletedRows(runner);
    await change(runner);
    after = await columns();
    rows = [...(await deletedRows(runner))]
      .map(([table, count]) => ({ table, rows: count - (earlier.get(table) ?? 0) }))
      .filter(({ rows: count }) => count > 0);
  } finally {
    await runner.rollbackTransaction();
  }
  const count = async (table: string, condition = 'true'): Promise<number> => {
    const sql = `SELECT count(*)::float8 AS n FROM ${quoted(table)} WHERE ${condition}`;
    const [row] = (await runner.query(sql)) as { n: number }[];
    return row?.n ?? 0;
  };
  const remaining = new Set(after.map(({ table_id }) => table_id));
  const remainingColumns = new Set(after.map(({ column_id }) => column_id));
  const tables: { table: string; rows: number }[] = [];
  for (const [id, table] of new Map(before.map((column) => [column.table_id, column.table]))) {
    if (!remaining.has(id)) tables.push({ table, rows: await count(table) });
  }
  const gone: { table: string; column: string; rows: number }[] = [];
  for (const { table_id, column_id, table, column, constant } of before) {
    if (!remaining.has(table_id) || remainingColumns.has(column_id)) continue;
    const unlike = constant === null ? '' : ` AND ${quoted(column)} <> ${constant}`;
    const rowsWithValue = await count(table, `${quoted(column)} IS NOT NULL${unlike}`);
    gone.push({ table, column, rows: rowsWithValue });
  }
  const names = new Set(after.map(({ table }) => table));
  return { tables, columns: gone, rows: rows.filter(({ table }) => names.has(table)) };
}

const places = ({ tables, columns, rows }: Losses): string[] => [
  ...tables.map(({ table, rows: n }) => `table ${table} (rows: ${n})`),
  ...columns.map(
    ({ table, column, rows: n }) => `column ${table}.${column} (rows with a value: ${n})`,
  ),
  ...rows.map(({ table, rows: n }) => `rows of ${table}: ${n}`),
];

/** The losses as readable text. */
export const describeLosses = (losses: Losses): string => {
  const all = places(losses);
  return all.length === 0 ? 'deletes no data' : `deletes ${all.join(', ')}`;
};
