import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { statementsById, StoredHandler } from '../engine/stored.handler';
import { RecordReader } from '../engine/record';
import { reserveIds, type Table } from '../engine/sequences';
import { jsonOf, readColumns } from './with-extra-columns.handler';

/** A row as stored in its table. */
export interface RowRecord {
  readonly id: number;
  /** Column values. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** Describes a table whose rows are exported unchanged. */
export interface TableRows {
  /** Name of the kind. */
  readonly name: string;
  readonly member: string;
  readonly table: Table;
  /** Columns in addition to the id. */
  readonly columns: readonly string[];
  /** SQL condition on the exported rows `t`. */
  readonly where?: string | undefined;
}

/** Rows as the JSON parameter of a statement. */
export const rowsJson = (records: readonly RowRecord[]): string =>
  JSON.stringify(records.map(({ id, row }) => ({ ...row, id })));

/** Base class for handlers of rows that are exported unchanged. Only part of full exports. */
export abstract class TableRowHandler extends StoredHandler<RowRecord> {
  readonly name: string;
  readonly member: string;
  protected readonly loadRows: Statement;
  protected readonly rowsAfter: Statement;
  /** Stores the rows of a JSON parameter. */
  protected abstract readonly put: Statement;

  constructor(private readonly rows: TableRows) {
    super();
    const { name, member, table, columns, where } = rows;
    this.name = name;
    this.member = member;
    ({ load: this.loadRows, after: this.rowsAfter } = statementsById({
      name: `rows_${name}`,
      from: `${table} t`,
      columns: `t.id::float8 AS id, ${jsonOf('t', columns)} AS row`,
      where,
    }));
  }

  parse(value: unknown): RowRecord {
    const reader = new RecordReader(value);
    return { id: reader.requiredId('id'), row: readColumns(reader, this.rows.columns) };
  }

  async write(executor: SqlExecutor, records: readonly RowRecord[]): Promise<void> {
    await reserveIds(
      executor,
      this.rows.table,
      records.map(({ id }) => id),
    );
    await executor.query(this.put, [rowsJson(records)]);
  }

  toJson({ id, row }: RowRecord): Record<string, unknown> {
    return { id: String(id), ...row };
  }
}

/** Describes a table for `RowHandler`. */
export interface RowShape {
  /** Name of the kind. */
  readonly name: string;
  readonly table: Table;
  /** Columns in addition to the id. */
  readonly columns: readonly string[];
  /** SQL condition on `t` for placeholders: an import only inserts or updates these rows. */
  readonly placeholders?: string;
}

/**
 * Imports and exports rows that have no record in the service's own shapes: placeholders, and
 * series without books.
 */
export class RowHandler extends TableRowHandler {
  protected readonly put: Statement;

  constructor({ name, table, columns, placeholders }: RowShape) {
    super({ name, member: `${name}_rows`, table, columns, where: placeholders });
    const all = ['id', ...columns, ...(placeholders ? ['placeholder'] : [])];
    const values = ['r.id', ...columns.map((one) => `r.${one}`), ...(placeholders ? ['true'] : [])];
    this.put = statement(
      `import_export.write_rows_${name}`,
      `INSERT INTO ${table} AS t (${all.join(', ')})
       SELECT ${values.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json) r
       ORDER BY r.id
       ON CONFLICT (id) DO UPDATE SET ${columns.map((one) => `${one} = EXCLUDED.${one}`).join(', ')}
       ${placeholders === undefined ? '' : `WHERE ${placeholders}`}`,
    );
  }
}
