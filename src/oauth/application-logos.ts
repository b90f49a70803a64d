import { statement, type SqlExecutor } from '../database/database';
import {
  referencePictures,
  removeUses,
  smallPicturePathSql,
  usePictures,
  type PictureRecord,
} from '../images/pictures.repository';

/** SQL for the path of the logo of an application `a`; a test key has the logo of its application. */
export const logoPathSql = smallPicturePathSql('application', 'coalesce(a.test_of, a.id)');

// Serializes changes of one logo, and fails for an application that was deleted meanwhile.
const LOCK = statement(
  'applications.lock_for_logo',
  `SELECT coalesce(test_of, id)::float8 AS id, owner_id::float8 AS owner_id
   FROM applications WHERE client_id = $1 FOR UPDATE`,
);

interface Locked {
  readonly id: number;
  readonly owner_id: number | null;
}

/**
 * Replaces the logo of an application with a stored picture.
 * @returns false when the application does not exist
 */
export async function replaceLogo(
  executor: SqlExecutor,
  clientId: string,
  picture: PictureRecord,
): Promise<boolean> {
  const [application] = await executor.query<Locked>(LOCK, [clientId]);
  if (!application) return false;
  await removeUses(executor, 'application', application.id, application.owner_id);
  await referencePictures(executor, [picture]);
  const use = { number: 1, hash: picture.hash, private: false };
  await usePictures(executor, 'application', application.id, [use]);
  return true;
}

/**
 * Deletes the logo of an application; the sweeper deletes its files later.
 * @returns false when the application does not exist
 */
export async function deleteLogo(executor: SqlExecutor, clientId: string): Promise<boolean> {
  const [application] = await executor.query<Locked>(LOCK, [clientId]);
  if (application) await removeUses(executor, 'application', application.id, application.owner_id);
  return application !== undefined;
}
