import { statement, type SqlExecutor } from '../database/database';

const INSERT_TEST_KEY = statement(
  'applications.insert_test_key',
  `INSERT INTO applications (client_id, name, level, scopes, redirect_uris, public, owner_id,
     homepage, description, limit_per_hour, test_of)
   SELECT $2, name || ' (test)', level, scopes, redirect_uris, public, owner_id, homepage,
     description, limit_per_hour, id
   FROM applications WHERE id = $1 AND blocked_at IS NULL AND test_of IS NULL
   ON CONFLICT (test_of) DO NOTHING RETURNING id::float8 AS id`,
);

/**
 * Inserts the test key of an application, with its settings, level, scopes and limit (D171).
 * @returns its id; undefined when the application has one, is blocked, or is a test key itself
 */
export async function insertTestKey(
  executor: SqlExecutor,
  applicationId: number,
  clientId: string,
): Promise<number | undefined> {
  const rows = await executor.query<{ id: number }>(INSERT_TEST_KEY, [applicationId, clientId]);
  return rows[0]?.id;
}
