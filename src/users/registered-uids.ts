import { statement, type SqlExecutor } from '../database/database';

const RESERVE = statement(
  'users.reserve_uid',
  `INSERT INTO registered_uids (folded, user_id) VALUES (lower($2::text COLLATE "C"), $1)
   ON CONFLICT (folded) DO NOTHING RETURNING 1`,
);

/** Rolls back a transaction that has created a user whose uid is already registered. */
class TakenUid extends Error {}

/**
 * Reserves the uid of a new user, so that no other user can register one that differs in case only,
 * even concurrently.
 * @throws TakenUid when it is reserved: see {@link undefinedWhenTaken}
 */
export async function reserveUid(
  executor: SqlExecutor,
  userId: number,
  uid: string,
): Promise<void> {
  const reserved = await executor.query(RESERVE, [userId, uid]);
  if (reserved.length === 0) throw new TakenUid(`the uid ${uid} is already in use`);
}

/** The result of a transaction; undefined when it was rolled back because the uid is in use. */
export const undefinedWhenTaken = <T>(made: Promise<T>): Promise<T | undefined> =>
  made.catch((error: unknown) => {
    if (error instanceof TakenUid) return undefined;
    throw error;
  });
