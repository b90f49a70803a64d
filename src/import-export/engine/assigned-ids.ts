import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { toText } from '../../text/to-text';
import { RecordError } from './record';
import { type RecordHandler } from './record-handler';
import { isRecordTimeBefore, recordTime } from './record-time';
import { OMITTED } from './stored.handler';
import { type Table } from './sequences';

/** Records that users create, with the tables of their ids. */
const USER_RECORD_TABLES: Readonly<Record<string, Table>> = {
  annotation: 'annotations',
  note: 'notes',
  'note-reply': 'note_replies',
  review: 'reviews',
};

/** Records that administrators create, with the tables of their ids. */
const ADMIN_RECORD_TABLES: Readonly<Record<string, Table>> = {
  book: 'books',
  celebrity: 'celebrities',
  event: 'events',
  loc: 'cities',
  movie: 'subjects',
  photo: 'photos',
};

/** Tables of the ids of all records that are protected, by kind. */
export const PROTECTED_TABLES: Readonly<Record<string, Table>> = {
  ...USER_RECORD_TABLES,
  ...ADMIN_RECORD_TABLES,
};

/** The member of each kind with the time of the last change. */
const TIMES: Readonly<Record<string, string>> = {
  annotation: 'time',
  note: 'update_time',
  'note-reply': 'created',
  review: 'updated',
};

type Text = Readonly<Record<string, unknown>> & { readonly [OMITTED]?: readonly string[] };

/** The members of a text, which full imports extend with further columns. */
function textOf(record: unknown): Text {
  const members = record as Text;
  return (members.record ?? members) as Text;
}

/**
 * Whether a record may replace a stored text: another import, or an earlier attempt, may have
 * created it from the same record, or from an older version of it in the file. A text that its
 * author has written or changed meanwhile has a later time. A record without a time is rejected. So
 * is one whose time is not before the start of the import: the file may have times of another time
 * zone.
 *
 * @param started start of the import, as a time of a record
 */
function mayReplace(kind: string, stored: unknown, record: unknown, started: string): boolean {
  const [one, other] = [textOf(stored), textOf(record)];
  // Texts of users have an author.
  if (one.user_id === null) return true;
  if (one.user_id !== other.user_id) return false;
  const time = TIMES[kind] ?? '';
  if (other[time] === undefined || other[OMITTED]?.includes(time)) return false;
  const changed = toText(other[time]);
  return isRecordTimeBefore(changed, started) && !isRecordTimeBefore(changed, toText(one[time]));
}

/** The last id that a sequence has assigned; 0 if none. */
export const lastValueSql = '(CASE WHEN is_called THEN last_value ELSE last_value - 1 END)::float8';

/** By table: the last id that was assigned when the first attempt of an import began. */
export type InitialIds = Readonly<Record<string, number>>;

/** The first attempt of an import. */
export interface FirstAttempt {
  readonly initialIds?: InitialIds | null;
  /** When it began by the clock of the database, in RFC 3339. */
  readonly startedAt?: string | null;
}

/** Expression of the {@link InitialIds} as `jsonb`. */
export const initialIdsSql = `(SELECT jsonb_object_agg(name, id) FROM (${Object.values(
  PROTECTED_TABLES,
)
  .map((table) => `SELECT '${table}' AS name, ${lastValueSql} AS id FROM ${table}_id_seq`)
  .join(' UNION ALL ')}) sequences)`;

const START = statement(
  'import_export.start',
  `SELECT ${initialIdsSql} AS ids, to_json(now()) #>> '{}' AS "startedAt"`,
);

const START_TIME = statement(
  'import_export.start_time',
  `SELECT ${recordTime('t')} AS time FROM (SELECT $1::timestamptz AS t) start`,
);

// Imports create records of administrators, too, also concurrent ones.
const CREATED_BY_ADMINISTRATORS = statement(
  'import_export.created_by_administrators',
  `SELECT target_id AS id FROM audit_log
   WHERE target_kind = $1 AND action = $1 || '.create' AND target_id = ANY($2::text[])`,
);

const WRITTEN_NOTES = statement(
  'import_export.written_notes',
  `SELECT id::float8 AS id FROM notes WHERE id = ANY($1::bigint[]) AND NOT placeholder LIMIT 1`,
);

/** The import that a transaction belongs to. */
const imports = new WeakMap<SqlExecutor, AssignedIds>();

const createdDuringImport = (id: number | string): string =>
  `the id ${id} belongs to a record that was created during the import`;

/**
 * Checks records before an import writes them.
 *
 * @param changed the records to be written
 * @param stored the stored versions of records by key
 * @throws RecordError when a user or an administrator created a record with the same id since the
 *   import began
 */
export async function rejectAssignedIds(
  executor: SqlExecutor,
  kind: RecordHandler,
  changed: readonly unknown[],
  stored: ReadonlyMap<string, unknown>,
): Promise<void> {
  const ofUsers = USER_RECORD_TABLES[kind.name];
  const table = PROTECTED_TABLES[kind.name];
  const assigned = imports.get(executor);
  if (table === undefined || !assigned) return;
  const keyOf = (record: unknown): string => kind.key(record) ?? '';
  const replacing = changed.filter(
    (record) => stored.has(keyOf(record)) && assigned.isNew(table, Number(keyOf(record))),
  );
  if (replacing.length === 0) return;
  const refused = ofUsers
    ? await findNewer(executor, kind, replacing, stored)
    : await findCreated(executor, kind, replacing);
  if (refused === undefined) return;
  throw new RecordError(createdDuringImport(keyOf(refused)));
}

/**
 * Checks the ids of notes of which the import knows nothing else.
 *
 * @throws RecordError when a user has got one of the ids since the import began
 */
export async function rejectNotesOfOthers(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  const assigned = imports.get(executor);
  const others = ids.filter((id) => assigned?.isNew('notes', id));
  if (others.length === 0) return;
  const [found] = await executor.query<{ id: number }>(WRITTEN_NOTES, [others]);
  if (found) throw new RecordError(createdDuringImport(found.id));
}

/** The first of the records that may not replace its stored version. */
async function findNewer(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
  stored: ReadonlyMap<string, unknown>,
): Promise<unknown> {
  // Times of records are in the time zone of the transaction.
  const startedAt = imports.get(executor)?.startedAt;
  const [start] = await executor.query<{ time: string }>(START_TIME, [startedAt]);
  const started = start?.time ?? '';
  return records.find(
    (record) => !mayReplace(kind.name, stored.get(kind.key(record) ?? ''), record, started),
  );
}

/** The first of the records whose stored version an administrator created. */
async function findCreated(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
): Promise<unknown> {
  const keys = records.map((record) => kind.key(record) ?? '');
  const rows = await executor.query<{ id: string }>(CREATED_BY_ADMINISTRATORS, [kind.name, keys]);
  const created = new Set(rows.map(({ id }) => id));
  return records.find((record) => created.has(kind.key(record) ?? ''));
}

/** A row that did not exist when its record was compared. It has the code of a duplicate key. */
class ConcurrentInsertError extends Error {
  readonly code = '23505';
}

/**
 * End of the common table expression `written`, which inserts or replaces rows, and the query of its
 * replaced rows. These have an `xmax`, because ON CONFLICT DO UPDATE locks them.
 */
export const RETURNING_REPLACED = `RETURNING id, xmax <> 0 AS replaced)
   SELECT id::float8 AS id FROM written WHERE replaced`;

/**
 * Writes rows of texts of users. A user may commit a row between the comparison of a record and its
 * write.
 *
 * @param write statement with the rows as JSON, which returns the ids of replaced rows
 * @param stored the stored versions of the records by key, as compared; undefined if
 *   nothing was compared, and rows are replaced without this check
 * @throws Error of a duplicate key, so that the import compares the record again
 */
export async function writeTextRows(
  executor: SqlExecutor,
  write: Statement,
  rows: readonly object[],
  stored: ReadonlyMap<string, unknown> | undefined,
): Promise<void> {
  const replaced = await executor.query<{ id: number }>(write, [JSON.stringify(rows)]);
  rejectConcurrentInserts(
    replaced.map(({ id }) => String(id)),
    stored,
  );
}

/**
 * Checks the keys of replaced rows after a write, as {@link writeTextRows} does.
 *
 * @throws Error of a duplicate key, so that the import compares the record again
 */
export function rejectConcurrentInserts(
  replaced: readonly string[],
  stored: ReadonlyMap<string, unknown> | undefined,
): void {
  const concurrent = stored && replaced.find((key) => !stored.has(key));
  if (concurrent !== undefined)
    throw new ConcurrentInsertError(`the record ${concurrent} has been stored concurrently`);
}

/**
 * The ids that others may get while an import runs, over all its files and attempts. A batch advances
 * the sequence past its own ids only, and others can get ids until then. Their records must not be
 * replaced. The handler of users protects those who register.
 */
export class AssignedIds {
  private initial: InitialIds | undefined;
  private started: string | undefined;

  /** @param first the first attempt of the import, if there was one before */
  constructor({ initialIds, startedAt }: FirstAttempt = {}) {
    this.initial = initialIds ?? undefined;
    this.started = startedAt ?? undefined;
  }

  /** Call it when the import begins, before anything is read. */
  async begin(executor: Pick<SqlExecutor, 'query'>): Promise<void> {
    if (this.initial && this.started !== undefined) return;
    const [row] = await executor.query<{ ids: InitialIds; startedAt: string }>(START);
    this.initial ??= row?.ids ?? {};
    this.started ??= row?.startedAt;
  }

  /** Start of the first attempt by the clock of the database, in RFC 3339. */
  get startedAt(): string {
    if (this.started === undefined) throw new Error('the import has not begun');
    return this.started;
  }

  /** Applies to the records that a transaction of the import writes. */
  applyTo(executor: SqlExecutor): void {
    imports.set(executor, this);
  }

  /** Whether the id of a stored record was assigned since the import began: by it, or by others. */
  isNew(table: string, id: number): boolean {
    if (!this.initial) throw new Error('the import has not begun');
    return id > (this.initial[table] ?? Infinity);
  }
}
