import { statement, type SqlExecutor } from '../database/database';

// Compatible with itself and with updates of the row, so that writers do not wait for each other.
const HOLD = statement(
  'applications.hold',
  'SELECT 1 FROM applications WHERE id = $1 FOR KEY SHARE',
);

const LOCK_FOR_DELETION = statement(
  'applications.lock_for_deletion',
  'SELECT blocked_at IS NOT NULL AS blocked FROM applications WHERE id = $1 FOR UPDATE',
);

const LOCK_TEST_KEYS = statement(
  'applications.lock_test_keys',
  'SELECT 1 FROM applications WHERE test_of = $1 FOR UPDATE',
);

const LOCK_FOR_UPDATE = statement(
  'applications.lock_for_update',
  'SELECT 1 FROM applications WHERE id = $1 FOR NO KEY UPDATE',
);

/**
 * Prevents the deletion of an application until the end of the transaction. A transaction that
 * writes rows of an application calls this before any other statement. The deletion locks the
 * application first, too, so that they cannot deadlock, and no foreign key is violated.
 *
 * @returns false when the application does not exist
 */
export async function holdApplication(executor: SqlExecutor, id: number): Promise<boolean> {
  return (await executor.query(HOLD, [id])).length > 0;
}

/**
 * Locks an application against deletion and other changes, but not against new tokens.
 * @returns false when it does not exist
 */
export async function lockApplication(executor: SqlExecutor, id: number): Promise<boolean> {
  return (await executor.query(LOCK_FOR_UPDATE, [id])).length > 0;
}

/**
 * Waits for the transactions that hold an application or its test key, and locks both.
 * @returns undefined when the application does not exist
 */
export async function lockForDeletion(
  executor: SqlExecutor,
  id: number,
): Promise<{ readonly blocked: boolean } | undefined> {
  const [application] = await executor.query<{ blocked: boolean }>(LOCK_FOR_DELETION, [id]);
  if (application) await executor.query(LOCK_TEST_KEYS, [id]);
  return application;
}
