import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { type RecordMerging } from './merging';
import { type RecordLists } from './record-lists';
import { type Table } from './sequences';

/** A record in the shape of imports and exports. */
export type WireRecord = Record<string, unknown>;

/** Tables whose rows records reference by id. */
export type ReferencedTable = 'subjects' | 'celebrities' | 'cities' | 'users';

/** An edit of a record. `stored` is empty for a new record. */
export interface RecordEdit {
  readonly id: number;
  readonly input: WireRecord;
  readonly stored: WireRecord;
}

/** Hooks of a kind for administrators who edit its records. */
export interface RecordEditing {
  readonly table: Table;
  readonly lists: RecordLists;
  readonly deletion: RowDeletion;
  /**
   * Members with nested records. Imports accept them. Administrators edit the nested records
   * themselves, so that the audit log has each change with its record.
   */
  readonly nestedFields?: readonly string[];
  /** Members that reference rows by id, with their tables. */
  readonly references?: Readonly<Record<string, ReferencedTable>>;

  /** How two records become one; absent when records of the kind cannot be merged. */
  readonly merging?: RecordMerging;

  /** Nested records that a new record may contain, because no other route writes them. */
  nestedOnCreate?(input: WireRecord): WireRecord;

  /** Normalizes members of a request. @throws OperationError with the reason */
  parseMembers?(input: WireRecord): WireRecord;

  /**
   * Stored members that an edit clears unless it contains them.
   * @throws OperationError when members exclude each other
   */
  clearedFields?(stored: WireRecord, input: WireRecord): readonly string[];

  /** Runs before the record is stored. */
  beforeWrite?(executor: SqlExecutor, edit: RecordEdit): Promise<void>;

  /** Runs after the row is deleted. */
  afterDelete?(executor: SqlExecutor, stored: WireRecord): Promise<void>;

  /** Reads members that exports do not contain. */
  readMore?(executor: SqlExecutor, id: number): Promise<WireRecord>;
}

/** Deletes rows of one table. */
export interface RowDeletion {
  delete(executor: SqlExecutor, id: number): Promise<void>;

  /** Restores a soft-deleted row. @returns whether there was one */
  restore(executor: SqlExecutor, id: number): Promise<boolean>;

  /** The deletion time in the format of the API; undefined when not deleted. */
  deletedAt(executor: SqlExecutor, id: number): Promise<string | undefined>;
}

/** Deletes rows for good. */
export class HardDeletion implements RowDeletion {
  private readonly remove: Statement;

  constructor(table: Table) {
    this.remove = statement(`import_export.delete_${table}`, `DELETE FROM ${table} WHERE id = $1`);
  }

  async delete(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(this.remove, [id]);
  }

  restore(): Promise<boolean> {
    return Promise.resolve(false);
  }

  deletedAt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** Sets the deletion time of rows, which reads exclude then. */
export class SoftDeletion implements RowDeletion {
  private readonly remove: Statement;
  private readonly restoreStatement: Statement;
  private readonly time: Statement;
  private readonly onSoftDelete: readonly Statement[];

  /**
   * @param onSoftDelete SQL that removes deleted rows from searches and lists; parameter 1 has their ids
   * @param restored SQL assignments for restored rows
   */
  constructor(
    table: Table,
    onSoftDelete: readonly string[] = [],
    restored: readonly string[] = [],
  ) {
    const name = `import_export.soft_delete_${table}`;
    this.remove = statement(
      name,
      `UPDATE ${table} SET deleted_at = date_trunc('second', now()) WHERE id = $1`,
    );
    this.restoreStatement = statement(
      `import_export.restore_${table}`,
      `UPDATE ${table} SET ${['deleted_at = NULL', ...restored].join(', ')}
       WHERE id = $1 AND deleted_at IS NOT NULL RETURNING 1`,
    );
    this.time = statement(
      `import_export.deletion_of_${table}`,
      `SELECT ${wireTime('deleted_at')} AS deleted FROM ${table}
       WHERE id = $1 AND deleted_at IS NOT NULL`,
    );
    this.onSoftDelete = onSoftDelete.map((sql, at) => statement(`${name}_${at}`, sql));
  }

  async delete(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(this.remove, [id]);
    await this.runOnSoftDelete(executor, [id]);
  }

  /** Removes rows, such as a deleted book, from searches and lists; their deletion time is already set. */
  async runOnSoftDelete(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
    for (const step of this.onSoftDelete) await executor.query(step, [ids]);
  }

  async restore(executor: SqlExecutor, id: number): Promise<boolean> {
    return (await executor.query(this.restoreStatement, [id])).length > 0;
  }

  async deletedAt(executor: SqlExecutor, id: number): Promise<string | undefined> {
    const [row] = await executor.query<{ deleted: string }>(this.time, [id]);
    return row?.deleted;
  }
}

/** Maps kinds that write administrator-editable records to the kind whose lock they take. */
const LOCKED: Readonly<Record<string, string>> = {
  book: 'book',
  'book-placeholder': 'book',
  edition: 'book',
  movie: 'movie',
  // Credits are written with their movie.
  credit: 'movie',
  celebrity: 'celebrity',
  photo: 'photo',
  event: 'event',
  loc: 'loc',
  'loc-placeholder': 'loc',
};

const KEY = `hashtextextended('records:' || $1, 0)`;
const SHARE = statement(
  'import_export.share_records',
  `SELECT pg_advisory_xact_lock_shared(${KEY})`,
);
const HOLD = statement('import_export.hold_records', `SELECT pg_advisory_xact_lock(${KEY})`);

/**
 * Takes the shared lock of a kind: administrators cannot edit its records until the transaction
 * ends, while imports run concurrently. There is one lock per kind because a lock per record would
 * fill the lock table of PostgreSQL, and rows that do not exist yet cannot be locked.
 */
export async function shareRecords(executor: SqlExecutor, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await executor.query(SHARE, [records]);
}

/**
 * Takes the exclusive lock of a kind, so that no import writes its records while an administrator
 * reads, edits and writes one. The edit waits for running batches, and later batches wait for the
 * edit.
 */
export async function holdRecords(executor: SqlExecutor, kind: string): Promise<void> {
  const records = LOCKED[kind];
  if (records !== undefined) await executor.query(HOLD, [records]);
}

const missingFrom = (table: string, shown: string): Statement =>
  statement(
    `records.missing_${table}`,
    `SELECT r.id::text AS id FROM unnest($1::bigint[]) AS r(id)
     WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = r.id ${shown})
     ORDER BY r.id LIMIT 10`,
  );
const SHOWN = 'AND t.deleted_at IS NULL';
const MISSING: Readonly<Record<ReferencedTable, Statement>> = {
  subjects: missingFrom('subjects', SHOWN),
  celebrities: missingFrom('celebrities', SHOWN),
  cities: missingFrom('cities', SHOWN),
  users: missingFrom('users', ''),
};

/** Up to ten ids without a visible row, ascending. */
export async function findMissingIds(
  executor: SqlExecutor,
  table: ReferencedTable,
  ids: readonly (number | string)[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await executor.query<{ id: string }>(MISSING[table], [ids]);
  return rows.map(({ id }) => id);
}
