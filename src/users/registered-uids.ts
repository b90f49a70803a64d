import { statement, type Runner } from '../database/database';

const RESERVE = statement(
  'users.reserve_uid',
  `INSERT INTO registered_uids (folded, user_id) VALUES (lower($2::text COLLATE "C"), $1)
   ON CONFLICT (folded) DO NOTHING RETURNING 1`,
);

/** Thrown out of a transaction that has made a user whose uid somebody else has registered. */
class TakenUid extends Error {}

/**
 * Holds the uid of a new user, so that nobody can register one that differs in case alone, not even
 * at the same moment.
 *
 * @throws TakenUid where somebody holds it: see {@link undefinedWhenTaken}
 */
export async function reserveUid(runner: Runner, userId: number, uid: string): Promise<void> {
  const reserved = await runner.query(RESERVE, [userId, uid]);
  if (reserved.length === 0) throw new TakenUid(`the uid ${uid} is taken`);
}

/** What a transaction has made; undefined when it was undone because the uid is taken. */
export const undefinedWhenTaken = <T>(made: Promise<T>): Promise<T | undefined> =>
  made.catch((error: unknown) => {
    if (error instanceof TakenUid) return undefined;
    throw error;
  });
