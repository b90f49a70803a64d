import { statement, type SqlExecutor, type Statement } from '../../database/database';
import {
  IS_CONFLICT,
  IS_REGISTERED,
  WAS_CREATED_HERE,
  type NamedUser,
} from '../engine/named-users';
import { RecordError } from '../engine/record';

// The id of a user in a file may belong to another user here, who has registered. Records that refer
// to the id, such as private notes, must not become records of that user. A different uid shows the
// conflict. For references by id alone, the rejected user is stored in `conflicting_users`.

const RECORDSET = 'json_to_recordset($1::json) AS r(id bigint, uid text)';

const OTHERS = statement(
  'import_export.registered_users_with_another_uid',
  `SELECT u.id::float8 AS id, u.uid FROM ${RECORDSET} JOIN users u ON u.id = r.id
   WHERE u.uid <> r.uid AND ${IS_REGISTERED} LIMIT 1`,
);

const REFERENCED_OTHERS = statement(
  'import_export.conflicting_references_to_users',
  `SELECT u.id::float8 AS id, u.uid FROM ${RECORDSET} JOIN users u ON u.id = r.id
   WHERE ${IS_CONFLICT} LIMIT 1`,
);

// A placeholder without a uid of its own may have become a user with a password since.
const IS_OTHER_THAN_PLACEHOLDER = `u.uid <> r.uid AND CASE WHEN r.uid = r.id::text
  THEN ${WAS_CREATED_HERE} ELSE ${IS_REGISTERED} END`;

const OTHERS_THAN_PLACEHOLDERS = statement(
  'import_export.registered_users_other_than_placeholders',
  `SELECT u.id::float8 AS id, u.uid FROM ${RECORDSET} JOIN users u ON u.id = r.id
   WHERE ${IS_OTHER_THAN_PLACEHOLDER} LIMIT 1`,
);

const insertionOf = (name: string, condition: string): Statement =>
  statement(
    `import_export.insert_conflicting_${name}`,
    `INSERT INTO conflicting_users (user_id)
     SELECT DISTINCT u.id FROM ${RECORDSET} JOIN users u ON u.id = r.id
     WHERE ${condition}
     ON CONFLICT (user_id) DO NOTHING`,
  );

const INSERT_CONFLICTS = insertionOf('users', `u.uid <> r.uid AND ${IS_REGISTERED}`);
const INSERT_PLACEHOLDERS = insertionOf('placeholders', IS_OTHER_THAN_PLACEHOLDER);

const DELETE_CONFLICTS = statement(
  'import_export.delete_conflicting_users',
  `DELETE FROM conflicting_users c USING ${RECORDSET} JOIN users u ON u.id = r.id
   WHERE c.user_id = u.id AND u.uid = r.uid`,
);

const parameter = (users: readonly NamedUser[]): unknown[] => [
  JSON.stringify(users.map(({ id, uid }) => ({ id, uid }))),
];

async function rejectFound(
  executor: SqlExecutor,
  found: Statement,
  users: readonly NamedUser[],
): Promise<void> {
  const [other] = await executor.query<NamedUser>(found, parameter(users));
  if (other) throw new RecordError(`the user ${other.id} is registered here as ${other.uid}`);
}

/**
 * Checks records of users: a user signs in with the uid, but a password belongs to an id. A new uid
 * would give the password to another account.
 *
 * @throws RecordError for a user who has registered here, or has a password, with another uid
 */
export const rejectConflictingUsers = (
  executor: SqlExecutor,
  users: readonly NamedUser[],
): Promise<void> => rejectFound(executor, OTHERS, users);

/**
 * Checks references to users. Call it when the users exist.
 *
 * @throws RecordError for the id of another user who has registered here: the record names another
 *   uid, or only the id, and the record of the user was rejected
 */
export const rejectConflictingReferences = (
  executor: SqlExecutor,
  users: readonly NamedUser[],
): Promise<void> => rejectFound(executor, REFERENCED_OTHERS, users);

/** Stores users of a file whose ids belong to other users who have registered here. */
export async function insertConflictingUsers(
  executor: SqlExecutor,
  users: readonly NamedUser[],
): Promise<void> {
  await executor.query(INSERT_CONFLICTS, parameter(users));
}

/**
 * Checks placeholders of users.
 *
 * @throws RecordError for the id of another user who has registered here
 */
export const rejectConflictingPlaceholders = (
  executor: SqlExecutor,
  users: readonly NamedUser[],
): Promise<void> => rejectFound(executor, OTHERS_THAN_PLACEHOLDERS, users);

/** Stores placeholders of a file whose ids belong to other users who have registered here. */
export async function insertConflictingPlaceholders(
  executor: SqlExecutor,
  users: readonly NamedUser[],
): Promise<void> {
  await executor.query(INSERT_PLACEHOLDERS, parameter(users));
}

/** Deletes the conflicts of users whose uid in the file equals the uid here. */
export async function deleteConflictingUsers(
  executor: SqlExecutor,
  users: readonly NamedUser[],
): Promise<void> {
  await executor.query(DELETE_CONFLICTS, parameter(users));
}
