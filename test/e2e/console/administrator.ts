import { type Harness } from '../../harness';
import { Browser } from '../oauth/browser';

/** A browser in which a new administrator is signed in. */
export async function signedInAdministrator(harness: Harness, uid: string): Promise<Browser> {
  const browser = await new Browser(harness).register(uid);
  await harness.database.source.query(`UPDATE users SET role = 'administrator' WHERE uid = $1`, [
    uid,
  ]);
  return browser;
}

/** Makes the password entry of a user's sessions an old one. */
export async function makeStale(harness: Harness, uid: string): Promise<void> {
  await harness.database.source.query(
    `UPDATE sessions SET confirmed_at = now() - interval '16 minutes'
     WHERE user_id = (SELECT id FROM users WHERE uid = $1)`,
    [uid],
  );
}
