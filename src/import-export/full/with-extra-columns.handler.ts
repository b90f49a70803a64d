import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { type RecordHandler, type Part } from '../engine/record-handler';
import { RecordReader } from '../engine/record';
import { SoftDeletion } from '../engine/editing';

/**
 * A record with the columns of its row that the record does not contain, for example the creation
 * time.
 */
export interface ExtraColumnsRecord<R> {
  readonly record: R;
  /** Values by column; undefined when the file omits the member. */
  readonly kept: Readonly<Record<string, unknown>> | undefined;
}

/** Columns of a table as JSON in the format of PostgreSQL. */
export const jsonOf = (alias: string, columns: readonly string[]): string =>
  `json_build_object(${columns.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`;

/** The members of a JSON object that are columns. */
export function pick(
  value: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, value[name] ?? null]));
}

/** The soft-delete time; null for most rows. */
const REMOVED = 'removed_at';

interface ExtraColumnsRow {
  readonly id: number;
  readonly kept: Record<string, unknown>;
}

/**
 * Adds the member `kept` with additional columns to the records of a kind, so that a full export is
 * lossless. The keys of the kind must be ids.
 */
export class WithExtraColumns<R> implements RecordHandler<ExtraColumnsRecord<R>> {
  readonly name: string;
  readonly member: string;
  private readonly read: Statement;
  private readonly put: Statement;
  /** Whether rows can be soft-deleted. Soft-deleted rows are exported and stay deleted. */
  private readonly removable: boolean;

  constructor(
    private readonly inner: RecordHandler<R>,
    table: string,
    private readonly columns: readonly string[],
  ) {
    this.name = inner.name;
    this.member = inner.member;
    this.removable = columns.includes(REMOVED);
    this.read = statement(
      `transfer.kept_${table}`,
      `SELECT t.id::float8 AS id, ${jsonOf('t', columns)} AS kept FROM ${table} t
       WHERE t.id = ANY($1::bigint[])`,
    );
    this.put = statement(
      `transfer.keep_${table}`,
      `UPDATE ${table} t SET ${columns.map((name) => `${name} = r.${name}`).join(', ')}
       FROM json_populate_recordset(NULL::${table}, $1::json) r
       WHERE t.id = r.id AND (${columns.map((name) => `t.${name}`).join(', ')})
         IS DISTINCT FROM (${columns.map((name) => `r.${name}`).join(', ')})`,
    );
  }

  parse(value: unknown): ExtraColumnsRecord<R> {
    const record = this.inner.parse(value);
    const kept = new RecordReader(value).object('kept');
    if (!kept) return { record, kept: undefined };
    const given = Object.fromEntries(kept.names().map((name) => [name, kept.raw(name)]));
    return { record, kept: pick(given, this.columns) };
  }

  lane({ record }: ExtraColumnsRecord<R>): string {
    return this.inner.lane?.(record) ?? this.inner.key(record) ?? '';
  }

  around({ record }: ExtraColumnsRecord<R>): readonly Part[] {
    return this.inner.around?.(record) ?? [];
  }

  children({ record }: ExtraColumnsRecord<R>): readonly Part[] {
    return this.inner.children?.(record) ?? [];
  }

  async resolveIds(
    executor: SqlExecutor,
    records: readonly ExtraColumnsRecord<R>[],
  ): Promise<ExtraColumnsRecord<R>[]> {
    const kept = new Map(records.map((one) => [this.inner.key(one.record), one.kept]));
    const given = await this.inner.resolveIds(
      executor,
      records.map(({ record }) => record),
    );
    return given.map((record) => {
      const own = this.inner.isReferenceOnly?.(record) !== true;
      return { record, kept: own ? kept.get(this.inner.key(record)) : undefined };
    });
  }

  key({ record }: ExtraColumnsRecord<R>): string | undefined {
    return this.inner.key(record);
  }

  async load(executor: SqlExecutor, records: readonly ExtraColumnsRecord<R>[]) {
    const stored = await this.inner.load(
      executor,
      records.map(({ record }) => record),
      this.removable,
    );
    // Records that omit the member keep the stored columns.
    const said = records.filter(({ kept }) => kept !== undefined);
    const kept = await this.keptOf(
      executor,
      said.map((one) => Number(this.key(one))),
    );
    return new Map(
      [...stored].map(([key, record]) => [key, { record, kept: kept.get(Number(key)) }]),
    );
  }

  async write(executor: SqlExecutor, records: readonly ExtraColumnsRecord<R>[]): Promise<void> {
    await this.inner.write(
      executor,
      records.map(({ record }) => record),
    );
    const rows = records
      .filter(({ kept }) => kept !== undefined)
      .map(({ record, kept }) => ({ ...kept, id: Number(this.inner.key(record)) }));
    if (rows.length > 0) await executor.query(this.put, [JSON.stringify(rows)]);
    const gone = rows.filter((row: Readonly<Record<string, unknown>>) => row[REMOVED]);
    const deletion = this.inner.editing?.deletion;
    if (gone.length === 0 || !(deletion instanceof SoftDeletion)) return;
    await deletion.concealDeleted(
      executor,
      gone.map(({ id }) => id),
    );
  }

  async finish(executor: SqlExecutor): Promise<void> {
    await this.inner.finish?.(executor);
  }

  toJson({ record, kept }: ExtraColumnsRecord<R>): Record<string, unknown> {
    return { ...this.inner.toJson(record), kept };
  }

  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const rows = await this.inner.scanAfter(executor, id, limit, this.removable);
    const kept = await this.keptOf(
      executor,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({
      id: row.id,
      record: { record: row.record, kept: kept.get(row.id) },
    }));
  }

  private async keptOf(
    executor: SqlExecutor,
    ids: readonly number[],
  ): Promise<Map<number, ExtraColumnsRow['kept']>> {
    if (ids.length === 0) return new Map();
    const rows = await executor.query<ExtraColumnsRow>(this.read, [ids]);
    return new Map(rows.map(({ id, kept }) => [id, kept]));
  }
}
