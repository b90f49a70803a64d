import { statement, type SqlExecutor } from '../../database/database';
import { isNumericUid, isUidText } from '../../users/uid';
import { rowLockStatement } from '../engine/row-locks';
import { reserveIds } from '../engine/sequences';
import { statementsById, StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import {
  deleteConflictingUsers,
  insertConflictingUsers,
  rejectConflictingReferences,
  rejectConflictingUsers,
} from './conflicting-users';

/** A user in a file: the simple user of specification section 2.9. */
export interface UserRecord {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly signature: string;
  readonly avatar: string;
}

const COLUMNS = 'id::float8 AS id, uid, name, signature, avatar';
const { load: LOAD, after: AFTER } = statementsById({
  name: 'users',
  from: 'users u',
  columns: COLUMNS,
  where: 'NOT u.placeholder',
});

const RECORDSET = `json_to_recordset($1::json)
  AS r(id bigint, uid text, name text, signature text, avatar text)`;

const LOCK = rowLockStatement({
  name: 'lock_written_users',
  table: 'users',
  records: RECORDSET,
  needsStrongLock: 'r.uid <> t.uid',
  weakLock: 'NO KEY UPDATE',
});
// Unlike ON CONFLICT, it takes the lock of a changed key for rows with another uid only. References
// to the other rows do not wait.
const UPDATE = statement(
  'import_export.change_users',
  `UPDATE users u SET uid = r.uid, name = r.name, signature = r.signature, avatar = r.avatar,
     placeholder = false
   FROM ${RECORDSET} WHERE u.id = r.id`,
);
const INSERT = statement(
  'import_export.insert_users',
  `INSERT INTO users (id, uid, name, signature, avatar)
   SELECT r.id, r.uid, r.name, r.signature, r.avatar FROM ${RECORDSET}
   WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = r.id) ORDER BY r.id
   ON CONFLICT (id) DO NOTHING RETURNING 1`,
);

// Nested users never change existing ones; they only name an unnamed placeholder. Users without
// changes are excluded beforehand, because ON CONFLICT would lock them.
const LOCK_REFERENCED = rowLockStatement({
  name: 'lock_referenced_users',
  table: 'users',
  records: RECORDSET,
  needsStrongLock: 't.placeholder AND t.uid = t.id::text AND r.uid <> t.uid',
  weakLock: 'KEY SHARE',
});
const WRITE_PLACEHOLDERS = statement(
  'import_export.write_placeholder_users',
  `INSERT INTO users (id, uid, name, signature, avatar, placeholder)
   SELECT r.id, r.uid, r.name, r.signature, r.avatar, true FROM ${RECORDSET}
   WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = r.id
     AND (NOT u.placeholder OR u.uid <> u.id::text OR r.uid = u.uid))
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET uid = EXCLUDED.uid, name = EXCLUDED.name,
     signature = EXCLUDED.signature, avatar = EXCLUDED.avatar
   WHERE users.placeholder AND users.uid = users.id::text AND EXCLUDED.uid <> users.uid`,
);

/** @throws RecordError for a text that cannot be a uid */
export function requireUid(uid: string): void {
  if (!isUidText(uid)) {
    throw new RecordError('uid must be letters, digits, "-", "_" or ".", not dots only');
  }
}

/** Reads a user from a member of a record. @throws RecordError with the reason */
export function readUser(reader: RecordReader): UserRecord {
  const id = reader.requiredId('id');
  const uid = reader.text('uid') || String(id);
  requireUid(uid);
  if (isNumericUid(uid) && uid !== String(id)) {
    throw new RecordError('a uid of digits only must equal the id');
  }
  return {
    id,
    uid,
    name: reader.text('name') || uid,
    signature: reader.text('signature'),
    avatar: reader.text('avatar'),
  };
}

/** A user of whom only the id is known. */
export const unnamedUser = (id: number): UserRecord => ({
  id,
  uid: String(id),
  name: String(id),
  signature: '',
  avatar: '',
});

/** Locks existing users in the order of ids, like references to them. */
export async function lockReferencedUsers(
  executor: SqlExecutor,
  users: readonly UserRecord[],
): Promise<void> {
  if (users.length > 0) await executor.query(LOCK_REFERENCED, [JSON.stringify(users)]);
}

/**
 * Inserts missing users as placeholders. Existing users stay unchanged, and are locked like
 * references to them, in the order of ids. Call it before the transaction locks other rows.
 *
 * @throws RecordError for the id of another user who has registered here
 */
export async function ensurePlaceholderUsers(
  executor: SqlExecutor,
  users: readonly UserRecord[],
): Promise<void> {
  const named = new Map<number, UserRecord>();
  for (const user of users) {
    const existing = named.get(user.id);
    if (!existing || user.uid !== String(user.id)) named.set(user.id, user);
  }
  if (named.size === 0) return;
  await lockReferencedUsers(executor, [...named.values()]);
  await reserveIds(executor, 'users', [...named.keys()]);
  await executor.query(WRITE_PLACEHOLDERS, [JSON.stringify([...named.values()])]);
  // Somebody may have registered since the records were read.
  await rejectConflictingReferences(executor, users);
}

/** Imports and exports users. */
export class UserHandler extends StoredHandler<UserRecord> {
  readonly name = 'user';
  readonly member = 'users';
  // Placeholders are excluded, so that importing the user counts as new.
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;

  parse(value: unknown): UserRecord {
    const reader = new RecordReader(value);
    reader.requiredText('name');
    return readUser(reader);
  }

  /** Deletes the conflicts of users who are the same here, also of unchanged users. */
  override async lockRows(executor: SqlExecutor, records: readonly UserRecord[]): Promise<void> {
    await deleteConflictingUsers(executor, records);
  }

  /** Stores a conflict, so that records which refer to the user are rejected, too. */
  async onRejected(executor: SqlExecutor, record: UserRecord): Promise<void> {
    await insertConflictingUsers(executor, [record]);
  }

  /** @throws RecordError when it would change the uid of a user who has registered here or has a password */
  async write(executor: SqlExecutor, records: readonly UserRecord[]): Promise<void> {
    await reserveIds(
      executor,
      'users',
      records.map(({ id }) => id),
    );
    // An earlier record may free the uid of a later one.
    const rows = JSON.stringify([...records].sort((one, other) => one.id - other.id));
    const [existing] = await executor.query<{ locked: number }>(LOCK, [rows]);
    await rejectConflictingUsers(executor, records);
    await executor.query(UPDATE, [rows]);
    const inserted = await executor.query(INSERT, [rows]);
    const createdByOthers = records.length - (existing?.locked ?? 0) - inserted.length;
    // Another transaction has created some of the users, who may be registered.
    if (createdByOthers > 0) await this.write(executor, records);
  }

  toJson({ id, uid, name, signature, avatar }: UserRecord): Record<string, unknown> {
    return { id: String(id), uid, name, signature, avatar };
  }
}
