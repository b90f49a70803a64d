import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { type RecordMerging } from './merging';
import { type RecordLists } from './record-lists';
import { type RowDeletion } from './row-deletion';
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

/** Hooks of a record handler for edits by administrators. */
export interface RecordEditHooks {
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
