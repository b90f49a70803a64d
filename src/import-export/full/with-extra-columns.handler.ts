import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { filterSurvivors, MERGED_KINDS } from '../../merges/merged-records';
import { type RecordHandler } from '../engine/record-handler';
import { RecordReader } from '../engine/record';
import { SoftDeletion } from '../engine/row-deletion';
import { DelegatingHandler } from './delegating.handler';
import { requiredTime } from './required-time';

/**
 * A record with the columns of its row that the record does not contain, for example the creation
 * time.
 */
export interface ExtraColumnsRecord<R> {
  readonly record: R;
  /** Values by column; undefined when the file omits the member. */
  readonly extra: Readonly<Record<string, unknown>> | undefined;
}

/** Columns of a table as JSON in the format of PostgreSQL. */
export const jsonOf = (alias: string, columns: readonly string[]): string =>
  `json_build_object(${columns.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`;

const IS_TIME = /_(at|until)$/;
/** The column with a list of texts. PostgreSQL would also store null and nested lists in it. */
const TEXTS = 'words';
function readColumn(reader: RecordReader, name: string): unknown {
  const value = reader.raw(name) ?? null;
  if (value === null) return null;
  if (name === TEXTS) return reader.texts(name);
  return IS_TIME.test(name) ? requiredTime(reader, name) : value;
}

/** The members of a JSON object that are columns. @throws RecordError for an invalid time or list */
export const readColumns = (
  reader: RecordReader,
  columns: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(columns.map((name) => [name, readColumn(reader, name)]));

/** The soft-delete time; null for most rows. */
const DELETED = 'deleted_at';

interface ExtraColumnsRow {
  readonly id: number;
  readonly extra: Record<string, unknown>;
}

interface KeptColumnsRow extends ExtraColumnsRow {
  /** Whether the row keeps the columns. */
  readonly isKept: boolean;
}

/**
 * Adds the member `extra` with additional columns to the records of a kind. The keys of the kind
 * must be ids.
 */
export class WithExtraColumns<R> extends DelegatingHandler<R, ExtraColumnsRecord<R>> {
  private readonly read: Statement;
  private readonly put: Statement;
  private readonly readKept: Statement | undefined;
  /** Soft-deleted rows are exported and stay deleted. */
  protected override readonly withDeleted: boolean;

  /**
   * @param kept those of the columns that existing rows keep. Placeholders keep them if the first
   *   column is not null
   */
  constructor(
    inner: RecordHandler<R>,
    table: string,
    private readonly columns: readonly string[],
    private readonly kept: readonly string[] = [],
  ) {
    super(inner);
    const [main] = kept;
    if (main !== undefined) {
      // It also locks the other placeholders, so that their columns do not change before the write.
      this.readKept = statement(
        `import_export.kept_${table}`,
        `SELECT t.id::float8 AS id, ${jsonOf('t', kept)} AS extra,
           NOT t.placeholder OR t.${main} IS NOT NULL AS "isKept"
         FROM ${table} t WHERE t.id = ANY($1::bigint[])
         ORDER BY t.id FOR UPDATE`,
      );
    }
    this.withDeleted = columns.includes(DELETED);
    this.read = statement(
      `import_export.extra_${table}`,
      `SELECT t.id::float8 AS id, ${jsonOf('t', columns)} AS extra FROM ${table} t
       WHERE t.id = ANY($1::bigint[])`,
    );
    this.put = statement(
      `import_export.write_extra_${table}`,
      `UPDATE ${table} t SET ${columns.map((name) => `${name} = r.${name}`).join(', ')}
       FROM json_populate_recordset(NULL::${table}, $1::json) r
       WHERE t.id = r.id AND (${columns.map((name) => `t.${name}`).join(', ')})
         IS DISTINCT FROM (${columns.map((name) => `r.${name}`).join(', ')})`,
    );
  }

  parse(value: unknown): ExtraColumnsRecord<R> {
    const record = this.inner.parse(value);
    const extra = new RecordReader(value).object('extra');
    return { record, extra: extra && readColumns(extra, this.columns) };
  }

  async resolveIds(
    executor: SqlExecutor,
    records: readonly ExtraColumnsRecord<R>[],
  ): Promise<ExtraColumnsRecord<R>[]> {
    const extra = new Map(records.map((one) => [this.inner.key(one.record), one.extra]));
    const identified = await this.inner.resolveIds(
      executor,
      records.map(({ record }) => record),
    );
    const extended = identified.map((record) => {
      const own = this.inner.isReferenceOnly?.(record) !== true;
      return { record, extra: own ? extra.get(this.inner.key(record)) : undefined };
    });
    return this.keepSurvivors(executor, extended);
  }

  /**
   * A file does not delete a record into which others were merged here: it may have merged the record
   * into one of them, and both would be deleted. A record that is deleted here stays so.
   */
  private async keepSurvivors(
    executor: SqlExecutor,
    records: readonly ExtraColumnsRecord<R>[],
  ): Promise<ExtraColumnsRecord<R>[]> {
    const kind = MERGED_KINDS.find((one) => one === this.name);
    const idOf = ({ record }: ExtraColumnsRecord<R>): number => Number(this.inner.key(record));
    const ids = records.filter(({ extra }) => extra?.[DELETED]).map(idOf);
    if (!kind || ids.length === 0) return [...records];
    const survivors = await filterSurvivors(executor, kind, ids);
    if (survivors.size === 0) return [...records];
    const rows = await executor.query<ExtraColumnsRow>(this.read, [[...survivors]]);
    const deletedAt = new Map(rows.map(({ id, extra }) => [id, extra[DELETED]]));
    return records.map((one) =>
      one.extra?.[DELETED] && deletedAt.has(idOf(one))
        ? { ...one, extra: { ...one.extra, [DELETED]: deletedAt.get(idOf(one)) } }
        : one,
    );
  }

  override async load(executor: SqlExecutor, records: readonly ExtraColumnsRecord<R>[]) {
    const stored = await super.load(executor, records);
    // What a record does not change counts as equal: kept columns, and all if it omits the member.
    for (const one of records) {
      const key = this.key(one) ?? '';
      const existing = stored.get(key);
      if (!existing) continue;
      const { extra } = one;
      if (!extra) {
        stored.set(key, { ...existing, extra: undefined });
      } else if (existing.extra && this.kept.length > 0) {
        const kept = Object.fromEntries(this.kept.map((name) => [name, extra[name]]));
        stored.set(key, { ...existing, extra: { ...existing.extra, ...kept } });
      }
    }
    return stored;
  }

  async write(
    executor: SqlExecutor,
    records: readonly ExtraColumnsRecord<R>[],
    stored?: ReadonlyMap<string, ExtraColumnsRecord<R>>,
  ): Promise<void> {
    const kept = await this.keptColumns(executor, records);
    await this.inner.write(
      executor,
      records.map(({ record }) => record),
      stored && new Map([...stored].map(([key, { record }]) => [key, record])),
    );
    const rows = records
      .filter(({ extra }) => extra !== undefined)
      .map(({ record, extra }) => {
        const id = Number(this.inner.key(record));
        return { ...extra, ...kept.get(id), id };
      });
    if (rows.length > 0) await executor.query(this.put, [JSON.stringify(rows)]);
    const deleted = rows.filter((row: Readonly<Record<string, unknown>>) => row[DELETED]);
    const deletion = this.inner.editing?.deletion;
    if (deleted.length === 0 || !(deletion instanceof SoftDeletion)) return;
    await deletion.runOnSoftDelete(
      executor,
      deleted.map(({ id }) => id),
    );
  }

  /** The columns that existing rows keep, by id. */
  private async keptColumns(
    executor: SqlExecutor,
    records: readonly ExtraColumnsRecord<R>[],
  ): Promise<ReadonlyMap<number, Record<string, unknown>>> {
    if (!this.readKept) return new Map();
    const ids = records.map(({ record }) => Number(this.inner.key(record)));
    const rows = await executor.query<KeptColumnsRow>(this.readKept, [ids]);
    return new Map(rows.filter(({ isKept }) => isKept).map(({ id, extra }) => [id, extra]));
  }

  toJson({ record, extra }: ExtraColumnsRecord<R>): Record<string, unknown> {
    return { ...this.inner.toJson(record), extra };
  }

  protected async extend(
    executor: SqlExecutor,
    records: readonly R[],
  ): Promise<ExtraColumnsRecord<R>[]> {
    const ids = records.map((record) => Number(this.inner.key(record)));
    const rows = ids.length === 0 ? [] : await executor.query<ExtraColumnsRow>(this.read, [ids]);
    const extra = new Map(rows.map((row) => [row.id, row.extra]));
    return records.map((record, at) => ({ record, extra: extra.get(ids[at] ?? 0) }));
  }
}
