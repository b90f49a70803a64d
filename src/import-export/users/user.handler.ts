import { statement, type SqlExecutor } from '../../database/database';
import { isNumericUid, isUidText } from '../../users/uid';
import { reserveIds } from '../engine/sequences';
import { statementsById, StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';

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

const WRITE = statement(
  'import_export.write_users',
  `INSERT INTO users (id, uid, name, signature, avatar)
   SELECT r.id, r.uid, r.name, r.signature, r.avatar FROM ${RECORDSET} ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET uid = EXCLUDED.uid, name = EXCLUDED.name,
     signature = EXCLUDED.signature, avatar = EXCLUDED.avatar, placeholder = false`,
);

// Nested users never change existing ones; they only name an unnamed placeholder. Users without
// changes are excluded beforehand, because ON CONFLICT would lock them.
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

/** Reads a user from a member of a record. @throws RecordError with the reason */
export function readUser(reader: RecordReader): UserRecord {
  const id = reader.requiredId('id');
  const uid = reader.text('uid') || String(id);
  if (!isUidText(uid)) {
    throw new RecordError('uid must be letters, digits, "-", "_" or ".", not dots only');
  }
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

/** Inserts missing users as placeholders. Existing users stay unchanged. */
export async function ensurePlaceholderUsers(
  executor: SqlExecutor,
  users: readonly UserRecord[],
): Promise<void> {
  const named = new Map<number, UserRecord>();
  for (const user of users) {
    const existing = named.get(user.id);
    if (!existing || existing.uid === String(existing.id)) named.set(user.id, user);
  }
  if (named.size === 0) return;
  await reserveIds(executor, 'users', [...named.keys()]);
  await executor.query(WRITE_PLACEHOLDERS, [JSON.stringify([...named.values()])]);
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

  async write(executor: SqlExecutor, records: readonly UserRecord[]): Promise<void> {
    await reserveIds(
      executor,
      'users',
      records.map(({ id }) => id),
    );
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson({ id, uid, name, signature, avatar }: UserRecord): Record<string, unknown> {
    return { id: String(id), uid, name, signature, avatar };
  }
}
