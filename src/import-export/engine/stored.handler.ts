import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { countRows } from './counting';
import { followMerges, type MergedReference } from './merged-references';
import { type Envelope, type RecordHandler } from './record-handler';

/**
 * Keeps the last of the records that share a key, in the order of first appearance.
 *
 * @param combine returns the last record with what it has from an earlier one
 */
export function dedupeKeepLast<R>(
  records: readonly R[],
  key: (record: R, at: number) => string,
  combine: (last: R, earlier: R) => R = (last) => last,
): R[] {
  const byKey = new Map<string, R>();
  records.forEach((record, at) => {
    const name = key(record, at);
    const earlier = byKey.get(name);
    byKey.set(name, earlier ? combine(record, earlier) : record);
  });
  return [...byKey.values()];
}

/** A record with some fields of another one. */
const withFieldsOf = <R extends object>(record: R, other: R, names: readonly (keyof R)[]): R =>
  names.length === 0
    ? record
    : { ...record, ...Object.fromEntries(names.map((name) => [name, other[name]])) };

/**
 * Names of the fields that a record omits and has from its stored row. Copies of the record have this
 * member, too; JSON does not.
 */
export const OMITTED = Symbol('omitted');

/** Rows that are identified by their id. */
interface RowsById {
  /** Name of the statements. */
  readonly name: string;
  /** The table and its alias. */
  readonly from: string;
  readonly columns: string;
  /** SQL condition of all rows. */
  readonly where?: string;
}

/** Statements that load and lock rows by id, and scan them in order of their id. */
export function statementsById(rows: RowsById): Record<'load' | 'lock' | 'after', Statement> {
  const { name, from, columns, where = 'true' } = rows;
  const [, alias = ''] = from.split(' ');
  const select = `SELECT ${columns} FROM ${from} WHERE ${where} AND ${alias}.id`;
  return {
    load: statement(`import_export.${name}`, `${select} = ANY($1::bigint[])`),
    lock: statement(
      `import_export.lock_stored_${name}`,
      `SELECT 1 FROM ${from} WHERE ${alias}.id = ANY($1::bigint[]) ORDER BY ${alias}.id FOR NO KEY UPDATE`,
    ),
    after: statement(`import_export.${name}_after`, `${select} > $1 ORDER BY ${alias}.id LIMIT $2`),
  };
}

/**
 * Base class for handlers that load records by key and scan them by id with one statement each.
 * Subclasses parse, write and show a record. By default the key of a record is its member `id`.
 */
export abstract class StoredHandler<R extends object> implements RecordHandler<R> {
  abstract readonly name: string;
  abstract readonly member: string;

  /** Loads rows by the columns of `loadValues`. */
  protected abstract readonly loadRows: Statement;
  /** Rows after the id `$1`, at most `$2`. */
  protected abstract readonly rowsAfter: Statement;
  /** Whether both statements have another parameter: whether to include soft-deleted rows. */
  protected readonly softDeletes: boolean = false;
  /** Fields that a file may omit; they are undefined then, and the stored values stay. */
  protected readonly omissible: readonly (keyof R)[] = [];
  /**
   * Locks rows by the columns of `loadValues`, so that others do not change what records omit before
   * they are written.
   */
  protected readonly lockStored?: Statement;
  /** Flags that a record has if an earlier one of the file with its key has them. */
  protected readonly permanent: readonly (keyof R)[] = [];
  /** Fields of stored rows that no file changes, such as an id that is not the key. */
  protected readonly unchanging: readonly (keyof R)[] = [];

  /** The references of records to records that may be merged. */
  protected readonly mergedReference?: MergedReference<R>;

  abstract parse(value: unknown, envelope?: Envelope, of?: number): R;

  abstract write(
    executor: SqlExecutor,
    records: readonly R[],
    stored?: ReadonlyMap<string, R>,
  ): Promise<void>;

  abstract toJson(record: R): Record<string, unknown>;

  /** The parameters that identify the rows of records. */
  protected loadValues(records: readonly R[]): readonly unknown[] {
    return [records.map((record) => this.idOf(record))];
  }

  /** The id by which `rowsAfter` continues after a record. */
  protected idOf(record: R): number {
    return (record as unknown as { readonly id: number }).id;
  }

  /** The key of a record; undefined for a new record that gets its id later. */
  key(record: R): string | undefined {
    return String(this.idOf(record));
  }

  async lockRows(executor: SqlExecutor, records: readonly R[]): Promise<void> {
    if (!this.lockStored || !records.some((record) => this.needsStored(record))) return;
    // Merges take their lock before those of rows.
    if (this.mergedReference) await followMerges(executor, this.mergedReference, records);
    // All of them: the write locks the others, too, and both must be in the order of the ids.
    await executor.query(this.lockStored, this.loadValues(records));
  }

  /** Whether a record omits fields, which stay as they are stored. */
  protected needsStored(record: R): boolean {
    return this.omittedOf(record).length > 0;
  }

  private omittedOf(record: R): (keyof R)[] {
    return this.omissible.filter((name) => record[name] === undefined);
  }

  /** The last record of a key with what it has from an earlier one. */
  protected combine(last: R, earlier: R): R {
    const kept = this.permanent.filter((name) => earlier[name] === true);
    return withFieldsOf(last, earlier, [...this.omittedOf(last), ...kept]);
  }

  async resolveIds(executor: SqlExecutor, records: readonly R[]): Promise<R[]> {
    const current = this.mergedReference
      ? await followMerges(executor, this.mergedReference, records)
      : records;
    const keyOf = (record: R): string => this.key(record) ?? '';
    const last = dedupeKeepLast(current, keyOf, (one, earlier) => this.combine(one, earlier));
    const fromStored = (record: R) => [...this.omittedOf(record), ...this.unchanging];
    if (last.every((record) => fromStored(record).length === 0)) return last;
    const stored = await this.load(executor, last);
    return last.map((record) => {
      const row = stored.get(keyOf(record));
      if (!row) return record;
      const complete = withFieldsOf(record, row, fromStored(record));
      const omitted = this.omittedOf(record);
      return omitted.length === 0 ? complete : { ...complete, [OMITTED]: omitted };
    });
  }

  async load(
    executor: SqlExecutor,
    records: readonly R[],
    withDeleted = false,
  ): Promise<Map<string, R>> {
    const values = [...this.loadValues(records), ...(this.softDeletes ? [withDeleted] : [])];
    const rows = await executor.query<R>(this.loadRows, values);
    return new Map(rows.map((row) => [this.key(row) ?? '', row]));
  }

  countStored(executor: SqlExecutor, withDeleted = false): Promise<number> {
    return countRows(executor, this.rowsAfter, this.softDeletes ? [withDeleted] : []);
  }

  async scanAfter(
    executor: SqlExecutor,
    id: number,
    limit: number,
    withDeleted = false,
  ): Promise<{ id: number; record: R }[]> {
    const values = [id, limit, ...(this.softDeletes ? [withDeleted] : [])];
    const rows = await executor.query<R>(this.rowsAfter, values);
    return rows.map((record) => ({ id: this.idOf(record), record }));
  }
}
