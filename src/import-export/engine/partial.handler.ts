import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { BLANK, readAs, SQL_BLANK, sqlType, type ColumnType } from './column-types';
import { countRows } from './counting';
import { followMerges, type MergedReference } from './merged-references';
import { type Envelope, type RecordHandler, type Part } from './record-handler';
import { reserveIds, type Table } from './sequences';

/** A record that may omit fields. Omitted fields keep their stored values. */
export interface PartialRecord<F> {
  readonly id: number;
  /**
   * The record was nested in another record: it completes placeholders and changes nothing else.
   */
  readonly placeholder: boolean;
  readonly input: Partial<F>;
  /** Nested records, which are stored before or after it. */
  readonly dependencies?: readonly Part[];
  readonly children?: readonly Part[];
  /** All fields; set after `resolveIds`. */
  readonly fields?: F;
  /** The stored row, if there is one; set after `resolveIds`. */
  readonly existing?: Row<F> | undefined;
}

type Row<F> = F & {
  readonly id: number;
  readonly placeholder: boolean;
  /** Whether the row is soft-deleted. Only a top-level record restores it. */
  readonly deleted: boolean;
};

/** Describes the table of a kind. */
export interface TableShape<F> {
  readonly table: Table;
  readonly columns: Readonly<Partial<Record<keyof F & string, ColumnType>>>;
  /** Whether rows may be placeholders. */
  readonly placeholders: boolean;
  /** Additional values to load: SQL by name, for the row `t`. */
  readonly more?: Readonly<Record<string, string>>;
  /** Values that differ from the record's field: SQL by column, for the record `r`. */
  readonly written?: Readonly<Record<string, string>>;
  /** Values that are set when a row changes: SQL by column. */
  readonly touched?: Readonly<Record<string, string>>;
  /** Whether administrators can soft-delete rows. */
  readonly isSoftDeletable?: boolean;
  /** SQL condition for the rows to export. */
  readonly exported?: string;
}

interface Statements {
  readonly load: Statement;
  readonly after: Statement;
  readonly write: Statement;
}

function statementsOf<F>(shape: TableShape<F>): Statements {
  const { table, placeholders, written = {}, touched = {}, isSoftDeletable = false } = shape;
  const columns = Object.entries(shape.columns) as [string, ColumnType][];
  const names = columns.map(([name]) => name);
  const selected = [
    't.id::float8 AS id',
    placeholders ? 't.placeholder' : 'false AS placeholder',
    `${isSoftDeletable ? 't.deleted_at IS NOT NULL' : 'false'} AS deleted`,
    ...columns.map(([name, type]) => readAs(name, type)),
    ...Object.entries(shape.more ?? {}).map(([name, sql]) => `${sql} AS ${name}`),
  ].join(', ');
  const replaced = ([name, type]: [string, ColumnType]): string => {
    if (!placeholders) return `${name} = EXCLUDED.${name}`;
    // Concurrent imports may complete the same placeholder: a blank value never overwrites a set
    // one.
    const blank = SQL_BLANK[type];
    const value = blank === undefined ? `EXCLUDED.${name}` : `nullif(EXCLUDED.${name}, ${blank})`;
    return `${name} = CASE WHEN EXCLUDED.placeholder THEN coalesce(${value}, t.${name})
      ELSE EXCLUDED.${name} END`;
  };
  const all = placeholders ? [...names, 'placeholder'] : names;
  const recordset = [
    'id bigint',
    ...columns.map(([name, type]) => `${name} ${sqlType(type)}`),
    ...(placeholders ? ['placeholder boolean'] : []),
  ].join(', ');
  const updates = [
    ...columns.map(replaced),
    ...(placeholders ? ['placeholder = EXCLUDED.placeholder'] : []),
    ...(isSoftDeletable
      ? ['deleted_at = CASE WHEN EXCLUDED.placeholder THEN t.deleted_at END']
      : []),
    ...Object.entries(touched).map(([name, sql]) => `${name} = ${sql}`),
  ].join(', ');
  return {
    load: statement(
      `import_export.${table}`,
      `SELECT ${selected} FROM ${table} t WHERE t.id = ANY($1::bigint[])`,
    ),
    after: statement(
      `import_export.${table}_after`,
      `SELECT ${selected} FROM ${table} t WHERE t.id > $1 AND ${shape.exported ?? 'true'}
         ${isSoftDeletable ? 'AND ($3::boolean OR t.deleted_at IS NULL)' : ''}
       ORDER BY t.id LIMIT $2`,
    ),
    write: statement(
      `import_export.write_${table}`,
      `INSERT INTO ${table} AS t (id, ${all.join(', ')})
       SELECT r.id, ${all.map((name) => written[name] ?? `r.${name}`).join(', ')}
       FROM json_to_recordset($1::json) AS r(${recordset}) ORDER BY r.id
       ON CONFLICT (id) DO UPDATE SET ${updates}
       ${placeholders ? 'WHERE t.placeholder OR NOT EXCLUDED.placeholder' : ''}`,
    ),
  };
}

/** Base class for record handlers with omitted fields and placeholders. */
export abstract class PartialHandler<F extends object> implements RecordHandler<PartialRecord<F>> {
  abstract readonly name: string;
  abstract readonly member: string;
  private readonly statements: Statements;
  protected readonly blank: Partial<F>;

  constructor(private readonly shape: TableShape<F>) {
    this.statements = statementsOf(shape);
    this.blank = Object.fromEntries(
      Object.entries(shape.columns).map(([name, type]) => [name, BLANK[type as string] ?? null]),
    ) as Partial<F>;
  }

  /** The references of records to records that may be merged. */
  protected readonly mergedReference?: MergedReference<PartialRecord<F>>;

  abstract parse(value: unknown, envelope?: Envelope): PartialRecord<F>;

  protected abstract wireFields(fields: F): Record<string, unknown>;

  /** Completes a record with its stored values. @throws RecordError when the result is invalid */
  protected complete(input: Partial<F>, existing: F | undefined, _placeholder: boolean): F {
    return { ...this.blank, ...existing, ...input } as F;
  }

  async resolveIds(
    executor: SqlExecutor,
    records: readonly PartialRecord<F>[],
  ): Promise<PartialRecord<F>[]> {
    const current = this.mergedReference
      ? await followMerges(executor, this.mergedReference, records)
      : records;
    const merged = mergeEach(current);
    const rows = await executor.query<Row<F>>(this.statements.load, [merged.map(({ id }) => id)]);
    const stored = new Map(rows.map((row) => [row.id, row]));
    return merged.map((record) => {
      const existing = stored.get(record.id);
      if (record.placeholder && existing && !existing.placeholder) {
        const { id, input } = record;
        return { id, placeholder: false, input, fields: existing, existing };
      }
      return {
        ...record,
        fields: this.complete(record.input, existing, record.placeholder),
        existing,
      };
    });
  }

  isReferenceOnly({ fields, existing }: PartialRecord<F>): boolean {
    return existing !== undefined && fields === existing;
  }

  key(record: PartialRecord<F>): string {
    return String(record.id);
  }

  load(
    _runner: SqlExecutor,
    records: readonly PartialRecord<F>[],
    withDeleted = false,
  ): Promise<Map<string, PartialRecord<F>>> {
    const stored = new Map<string, PartialRecord<F>>();
    for (const record of records) {
      const { id, placeholder, existing } = record;
      // A record that completes a placeholder or restores a soft-deleted row counts as imported.
      const becomesVisible =
        existing?.placeholder === true || (existing?.deleted === true && !withDeleted);
      if (!existing || (becomesVisible && !placeholder && !this.isReferenceOnly(record))) continue;
      stored.set(String(id), {
        id,
        placeholder: existing.placeholder,
        input: {},
        fields: existing,
      });
    }
    return Promise.resolve(stored);
  }

  dependencies({ dependencies }: PartialRecord<F>): readonly Part[] {
    return dependencies ?? [];
  }

  children({ children }: PartialRecord<F>): readonly Part[] {
    return children ?? [];
  }

  async write(executor: SqlExecutor, records: readonly PartialRecord<F>[]): Promise<void> {
    await reserveIds(
      executor,
      this.shape.table,
      records.map(({ id }) => id),
    );
    const rows = records.map(({ id, placeholder, fields }) => ({ ...fields, id, placeholder }));
    await executor.query(this.statements.write, [JSON.stringify(rows)]);
  }

  toJson({ id, placeholder, fields }: PartialRecord<F>): Record<string, unknown> {
    return {
      id: String(id),
      ...this.wireFields(fields as F),
      ...(placeholder ? { placeholder: true } : {}),
    };
  }

  countStored(executor: SqlExecutor, withDeleted = false): Promise<number> {
    const { isSoftDeletable = false } = this.shape;
    return countRows(executor, this.statements.after, isSoftDeletable ? [withDeleted] : []);
  }

  async scanAfter(executor: SqlExecutor, id: number, limit: number, withDeleted = false) {
    const values = this.shape.isSoftDeletable === true ? [id, limit, withDeleted] : [id, limit];
    const rows = await executor.query<Row<F>>(this.statements.after, values);
    return rows.map((row) => ({
      id: row.id,
      record: { id: row.id, placeholder: row.placeholder, input: {}, fields: row },
    }));
  }
}

/**
 * Merges records with the same key: later fields win, and nested records only fill missing fields.
 */
function mergeEach<F>(records: readonly PartialRecord<F>[]): PartialRecord<F>[] {
  const merged = new Map<number, PartialRecord<F>>();
  for (const record of records) {
    const existing = merged.get(record.id);
    merged.set(record.id, existing ? merge(existing, record) : record);
  }
  return [...merged.values()];
}

function merge<F>(one: PartialRecord<F>, other: PartialRecord<F>): PartialRecord<F> {
  // All elements of a list share the same parent object.
  if (one === other) return one;
  const [base, over] = other.placeholder && !one.placeholder ? [other, one] : [one, other];
  return {
    id: one.id,
    placeholder: one.placeholder && other.placeholder,
    input: { ...base.input, ...over.input },
    dependencies: [...(base.dependencies ?? []), ...(over.dependencies ?? [])],
    children: [...(base.children ?? []), ...(over.children ?? [])],
  };
}
