import { statement, type SqlExecutor } from '../database/database';
import { lockApplication } from './application-locks';

const ADD_SECRET = statement(
  'applications.add_secret',
  'INSERT INTO application_secrets (hash, application_id) VALUES ($2, $1)',
);

// Deletes secrets that already have an expiry, so that at most two secrets are valid.
const END_SECRETS = statement(
  'applications.end_secrets',
  `WITH older AS (DELETE FROM application_secrets
     WHERE application_id = $1 AND expires_at IS NOT NULL)
   UPDATE application_secrets SET expires_at = now() + make_interval(secs => $2)
   WHERE application_id = $1 AND expires_at IS NULL`,
);

const CURRENT = statement(
  'applications.current_secret',
  'SELECT to_json(created_at) AS since FROM application_secrets WHERE application_id = $1 AND expires_at IS NULL',
);

/** Adds a secret to an application that the transaction has created or locked. */
export async function addSecret(executor: SqlExecutor, id: number, hash: Buffer): Promise<void> {
  await executor.query(ADD_SECRET, [id, hash]);
}

/**
 * Sets the expiry of the current secret in seconds, and ends older secrets now.
 * @returns false when the application does not exist
 */
export async function endSecrets(
  executor: SqlExecutor,
  id: number,
  seconds: number,
): Promise<boolean> {
  // Serializes the creation of secrets of one application.
  if (!(await lockApplication(executor, id))) return false;
  await executor.query(END_SECRETS, [id, seconds]);
  return true;
}

/** Another secret has replaced the one that a form names. */
export class SecretReplaced extends Error {}

/**
 * Requires that the secret without an expiry is the one of a time. It locks the application until
 * the transaction ends, so that no other secret replaces it.
 * @param since creation time, as in `ApplicationRow.secrets`; empty for no secret
 * @throws SecretReplaced
 */
export async function requireCurrentSecret(
  executor: SqlExecutor,
  id: number,
  since: string,
): Promise<void> {
  // The caller finds out that the application was deleted.
  if (!(await lockApplication(executor, id))) return;
  const [current] = await executor.query<{ since: string }>(CURRENT, [id]);
  if (since !== (current?.since ?? '')) throw new SecretReplaced();
}
