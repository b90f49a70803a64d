import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { countRows } from './counting';
import { followMerges, type MergedReference } from './merged-references';
import { type Envelope, type RecordHandler } from './record-handler';

/**
 * Keeps the last of the records that share a key, in the order of first appearance. Fields that it
 * omits have the values of the records before it.
 *
 * @param omissible fields that are undefined if a record omits them
 */
export function dedupeKeepLast<R>(
  records: readonly R[],
  key: (record: R, at: number) => string,
  omissible: readonly (keyof R)[] = [],
): R[] {
  const last = new Map<string, R>();
  records.forEach((record, at) => {
    const earlier = last.get(key(record, at));
    last.set(key(record, at), earlier ? filled(record, earlier, omissible) : record);
  });
  return [...last.values()];
}

/** A record whose fields have the values of another one, if they are undefined. */
function filled<R>(record: R, other: R, names: readonly (keyof R)[]): R {
  const omitted = names.filter((name) => record[name] === undefined);
  if (omitted.length === 0) return record;
  return { ...record, ...Object.fromEntries(omitted.map((name) => [name, other[name]])) };
}

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
    if (!this.lockStored) return;
    const incomplete = records.filter((record) => this.omittedOf(record).length > 0);
    if (incomplete.length === 0) return;
    await executor.query(this.lockStored, this.loadValues(incomplete));
  }

  private omittedOf(record: R): (keyof R)[] {
    return this.omissible.filter((name) => record[name] === undefined);
  }

  async resolveIds(executor: SqlExecutor, records: readonly R[]): Promise<R[]> {
    const current = this.mergedReference
      ? await followMerges(executor, this.mergedReference, records)
      : records;
    const last = dedupeKeepLast(current, (record) => this.key(record) ?? '', this.omissible);
    const fromStored = (record: R) => [...this.omittedOf(record), ...this.unchanging];
    if (last.every((record) => fromStored(record).length === 0)) return last;
    const stored = await this.load(executor, last);
    return last.map((record) => {
      const row = stored.get(this.key(record) ?? '');
      if (!row) return record;
      const ofRow = fromStored(record).map((name) => [name, row[name]]);
      return { ...record, ...Object.fromEntries(ofRow) } as R;
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
