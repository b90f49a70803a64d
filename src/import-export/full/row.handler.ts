import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { statementsById, StoredHandler } from '../engine/stored.handler';
import { RecordReader } from '../engine/record';
import { reserveIds, type Table } from '../engine/sequences';
import { jsonOf, readColumns } from './with-extra-columns.handler';

/** A row as stored in its table. */
export interface RowRecord {
  readonly id: number;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Describes a table whose rows are exported unchanged. */
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
 * series without books. Only part of full exports.
 */
export class RowHandler extends StoredHandler<RowRecord> {
  readonly name: string;
  readonly member: string;
  protected readonly loadRows: Statement;
  protected readonly rowsAfter: Statement;
  private readonly put: Statement;

  constructor(private readonly shape: RowShape) {
    super();
    const { name, table, columns, placeholders } = shape;
    this.name = name;
    this.member = `${name}_rows`;
    const all = ['id', ...columns, ...(placeholders ? ['placeholder'] : [])];
    const values = ['r.id', ...columns.map((one) => `r.${one}`), ...(placeholders ? ['true'] : [])];
    ({ load: this.loadRows, after: this.rowsAfter } = statementsById({
      name: `rows_${name}`,
      from: `${table} t`,
      columns: `t.id::float8 AS id, ${jsonOf('t', columns)} AS row`,
      where: placeholders,
    }));
    this.put = statement(
      `transfer.write_rows_${name}`,
      `INSERT INTO ${table} AS t (${all.join(', ')})
       SELECT ${values.join(', ')} FROM json_populate_recordset(NULL::${table}, $1::json) r
       ORDER BY r.id
       ON CONFLICT (id) DO UPDATE SET ${columns.map((one) => `${one} = EXCLUDED.${one}`).join(', ')}
       ${placeholders === undefined ? '' : `WHERE ${placeholders}`}`,
    );
  }

  parse(value: unknown): RowRecord {
    const reader = new RecordReader(value);
    return { id: reader.requiredId('id'), row: readColumns(reader, this.shape.columns) };
  }

  async write(executor: SqlExecutor, records: readonly RowRecord[]): Promise<void> {
    await reserveIds(
      executor,
      this.shape.table,
      records.map(({ id }) => id),
    );
    const rows = records.map(({ id, row }) => ({ ...row, id }));
    await executor.query(this.put, [JSON.stringify(rows)]);
  }

  toJson({ id, row }: RowRecord): Record<string, unknown> {
    return { id: String(id), ...row };
  }
}
