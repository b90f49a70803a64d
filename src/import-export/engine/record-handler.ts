import { type SqlExecutor } from '../../database/database';
import { type ContentReference } from './conflicting-records';
import { type NamedUser } from './named-users';
import { type RecordEditHooks } from './record-edit-hooks';

/** The result of importing a record. */
export type Outcome = 'imported' | 'updated' | 'skipped';

/** Records of another kind that were nested in a record. */
export interface Part {
  readonly kind: RecordHandler;
  readonly records: readonly unknown[];
}

/** The list response that contained a record. */
export interface Envelope {
  /** Its members other than the lists, for example the parent. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The index of the record in the list, from 0. */
  readonly at: number;
}

/**
 * Imports and exports one kind of record in the service's own JSON shapes. Reading and writing use
 * the same shape, so an import of an export restores the same records.
 */
export interface RecordHandler<R = unknown> {
  /** Name of the kind on the command line. */
  readonly name: string;
  /** Member of list responses that contains these records. */
  readonly member: string;
  /** List members of its own records that share a name with a list of another kind. */
  readonly nestedLists?: readonly string[];

  /** Hooks for administrators who edit its records; absent when they cannot. */
  readonly editing?: RecordEditHooks;

  /** Whether records need the surrounding list response, which the reader waits for. */
  readonly needsEnvelope?: boolean;

  /**
   * Parses and normalizes a record.
   * @param envelope the list response that contained the record
   * @param of id of the parent, for records that do not name it
   * @throws RecordError with the reason
   */
  parse(value: unknown, envelope?: Envelope, of?: number): R;

  /**
   * Locks the existing rows that storing records changes, before any other statement. Only handlers
   * need it whose records are stored in several steps that lock rows of the same tables.
   */
  lockRows?(executor: SqlExecutor, records: readonly R[]): Promise<void>;

  /** Records with the same lane are stored in order by one connection. Defaults to the key. */
  lane?(record: R): string;

  /** Records that this record depends on; they are stored before it. */
  dependencies?(record: R): readonly Part[];

  /** Records nested in this record; they are stored after it. */
  children?(record: R): readonly Part[];

  /**
   * Matches records with stored rows and assigns ids to new records. Merges records of the same
   * row.
   */
  resolveIds(executor: SqlExecutor, records: readonly R[]): Promise<R[]>;

  /** Whether the record only references an existing row and therefore changes nothing. */
  isReferenceOnly?(record: R): boolean;

  /** Whether a changed record counts as imported, although other records have brought it along. */
  isFirst?(record: R, existing: R): boolean;

  /** Key of a record after `resolveIds`; undefined for a new record. */
  key(record: R): string | undefined;

  /**
   * Loads the stored versions of these records by key, in export form.
   * @param withDeleted whether to include soft-deleted rows
   */
  load(
    executor: SqlExecutor,
    records: readonly R[],
    withDeleted?: boolean,
  ): Promise<Map<string, R>>;

  /**
   * Writes records and the rows they depend on.
   * @param stored the compared stored versions by key. Handlers of texts of users reject replacing
   *   any other row. Without it they replace all.
   */
  write(
    executor: SqlExecutor,
    records: readonly R[],
    stored?: ReadonlyMap<string, R>,
  ): Promise<void>;

  /**
   * The user who owns the content; undefined if the file does not name one. It shows whether the id
   * of a record belongs to content of another user here.
   */
  ownerOf?(record: R): NamedUser | undefined;

  /**
   * Content that the record refers to, such as the note of a reply. The record is rejected if that
   * content was, and its id belongs to other content here.
   */
  referencedContent?(record: R): readonly ContentReference[];

  /**
   * Stores what other records of the import need to know about a rejected record, in a transaction of
   * its own.
   */
  onRejected?(executor: SqlExecutor, record: R): Promise<void>;

  /** Flushes the pending list of its search index; runs during and after an import. */
  flush?(executor: SqlExecutor): Promise<void>;

  /** The JSON form, used for export and to detect changes. */
  toJson(record: R): Record<string, unknown>;

  /**
   * Number of records that `scanAfter` reads in total, for the progress of exports.
   * @param withDeleted whether to include soft-deleted rows
   */
  countStored?(executor: SqlExecutor, withDeleted?: boolean): Promise<number>;

  /**
   * Up to `limit` stored records after an id, ordered by id.
   * @param withDeleted whether to include soft-deleted rows
   */
  scanAfter(
    executor: SqlExecutor,
    id: number,
    limit: number,
    withDeleted?: boolean,
  ): Promise<{ id: number; record: R }[]>;
}
