import { Injectable } from '@nestjs/common';
import { type Role } from '../api/access/access';
import {
  Database,
  statement,
  type SqlExecutor,
  type Statement,
  type TransactionHooks,
} from '../database/database';
import { grants } from '../oauth/grants.repository';
import { reserveUid, undefinedWhenTaken } from '../users/registered-uids';

const BY_UID = statement(
  'accounts.by_uid',
  `SELECT u.id::float8 AS id, u.uid, u.blocked_at IS NOT NULL AS blocked,
     coalesce(u.blocked_reason, '') AS blocked_reason, u.blocked_until::text AS blocked_until, p.hash
   FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.uid = $1`,
);

// People would confuse uids that differ only in case. This condition covers imported users;
// `reserveUid` covers concurrent registrations.
const NEW_USER = statement(
  'accounts.new_user',
  `INSERT INTO users (uid, name) SELECT $1, $1
   WHERE NOT EXISTS (SELECT 1 FROM users WHERE lower(uid) = lower($1))
   ON CONFLICT (uid) DO NOTHING
   RETURNING id::float8 AS id`,
);

const SET_PASSWORD = statement(
  'accounts.set_password',
  `INSERT INTO passwords (user_id, hash) VALUES ($1, $2)
   ON CONFLICT (user_id) DO UPDATE SET hash = EXCLUDED.hash, changed_at = now()`,
);

// Requires the verified password hash. The locks order this statement and a concurrent password
// change or block, which either ends the new session or prevents it.
const NEW_SESSION = statement(
  'accounts.new_session',
  `INSERT INTO sessions (hash, user_id, expires_at)
   SELECT $1, p.user_id, now() + make_interval(secs => $3)
   FROM passwords p JOIN users u ON u.id = p.user_id
   WHERE p.user_id = $2 AND p.hash = $4 AND u.blocked_at IS NULL FOR SHARE OF p, u
   RETURNING 1`,
);

// A block locks the user before the sessions, so a change of the password does, too.
const LOCK_USER = statement('accounts.lock_user', 'SELECT 1 FROM users WHERE id = $1 FOR SHARE');

/** Minutes for which a password entry confirms dangerous steps. */
export const CONFIRMED_MINUTES = 15;

const CONFIRM = statement(
  'accounts.confirm_session',
  'UPDATE sessions SET confirmed_at = now() WHERE hash = $1 AND user_id = $2',
);

const SESSION = statement(
  'accounts.session',
  `SELECT u.id::float8 AS id, u.uid, u.role,
     s.confirmed_at > now() - make_interval(mins => ${CONFIRMED_MINUTES}) AS confirmed
   FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.hash = $1 AND s.expires_at > now() AND u.blocked_at IS NULL`,
);

const END_SESSION = statement('accounts.end_session', 'DELETE FROM sessions WHERE hash = $1');

// The lock delays the end of the session. The transaction that ends it then sees the new grants.
const HOLD_SESSION = statement(
  'accounts.hold_session',
  `SELECT 1 FROM sessions WHERE hash = $1 AND user_id = $2 AND expires_at > now() FOR KEY SHARE`,
);

const BLOCK = statement(
  'accounts.block',
  `UPDATE users SET blocked_at = CASE WHEN $2 THEN coalesce(blocked_at, now()) END,
     blocked_reason = $3, blocked_until = $4::date
   WHERE id = $1 RETURNING uid`,
);

const END_ALL = statement(
  'accounts.end_sessions',
  'DELETE FROM sessions WHERE user_id = $1 RETURNING hash, expires_at > now() AS valid',
);

const REVOKE_TOKENS = statement(
  'accounts.revoke_tokens',
  `UPDATE access_tokens SET revoked_at = now()
   WHERE hash = ANY($1::bytea[]) AND user_id = $2 AND revoked_at IS NULL
   RETURNING 1`,
);

/** A user for sign-in. */
export interface Account {
  readonly id: number;
  readonly uid: string;
  readonly blocked: boolean;
  /** Empty for none. */
  readonly blocked_reason: string;
  /** The last day of the block, `yyyy-MM-dd`; null without an end. */
  readonly blocked_until: string | null;
  /** Undefined for users without a password. */
  readonly hash: string | undefined;
}

/** A block of a user. */
export interface UserBlock {
  /** Shown to the user; empty for none. */
  readonly reason: string;
  /** The last day, `yyyy-MM-dd`; null until an administrator ends it. */
  readonly until: string | null;
}

/** The signed-in user. */
export interface SignedIn {
  readonly id: number;
  readonly uid: string;
  readonly role: Role;
  /** Whether the password was entered in the last {@link CONFIRMED_MINUTES} minutes. */
  readonly confirmed: boolean;
}

/** A session to start. */
export interface NewSession {
  readonly hash: Buffer;
  /** Seconds. */
  readonly lifetime: number;
}

/** A password change on the page of the user. */
export interface PasswordChange {
  /** Authorized apps keep their access; otherwise all grants of the user are revoked (D50). */
  readonly keepApps: boolean;
  /** Hash of the session that requests the change. */
  readonly before: Buffer;
  /** The session that replaces it. */
  readonly after: NewSession;
}

/** Rolls a password change back. */
class SessionEnded extends Error {}

/** Passwords and sessions. Only their hashes are stored. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  async findAccountByUid(uid: string): Promise<Account | undefined> {
    const [row] = await this.database.query<Omit<Account, 'hash'> & { hash: string | null }>(
      BY_UID,
      [uid],
    );
    return row && { ...row, hash: row.hash ?? undefined };
  }

  /** Creates a user. @returns the id, or undefined when the uid is taken */
  insertAccount(uid: string, hash: string): Promise<number | undefined> {
    const added = this.database.transaction(async (executor) => {
      const [made] = await executor.query<{ id: number }>(NEW_USER, [uid]);
      if (!made) return undefined;
      await reserveUid(executor, made.id, uid);
      await executor.query(SET_PASSWORD, [made.id, hash]);
      return made.id;
    });
    return undefinedWhenTaken(added);
  }

  /** Resets a password, ends every session, and revokes the user's grants (D50). */
  setPassword(userId: number, hash: string, hooks?: TransactionHooks): Promise<void> {
    return this.database.transaction(async (executor) => {
      await this.replacePassword(executor, userId, hash);
      await grants.revokeAllOfUser(executor, userId, 'password_changed');
    }, hooks);
  }

  /**
   * Changes a password, replaces every session by a new session, and revokes the user's grants
   * unless `keepApps` is set (D50).
   *
   * @returns false, without a change, when the session that requests it has ended
   */
  async changePassword(userId: number, hash: string, change: PasswordChange): Promise<boolean> {
    const { keepApps, before, after } = change;
    const changed = this.database.transaction(async (executor) => {
      await executor.query(LOCK_USER, [userId]);
      const ended = await this.replacePassword(executor, userId, hash);
      // The derivation of the hash takes time, in which the user or an administrator may have ended
      // the session.
      if (!ended.some((session) => session.valid && session.hash.equals(before)))
        throw new SessionEnded();
      if (!keepApps) await grants.revokeAllOfUser(executor, userId, 'password_changed');
      await executor.query(NEW_SESSION, [after.hash, userId, after.lifetime, hash]);
      return true;
    });
    return changed.catch((error: unknown) => {
      if (error instanceof SessionEnded) return false;
      throw error;
    });
  }

  /** Stores a password hash and ends every session. @returns the sessions that ended */
  private async replacePassword(
    executor: SqlExecutor,
    userId: number,
    hash: string,
  ): Promise<{ readonly hash: Buffer; readonly valid: boolean }[]> {
    // The order matters: it also ends concurrently started sessions, before their grants are revoked.
    await executor.query(SET_PASSWORD, [userId, hash]);
    return executor.query(END_ALL, [userId]);
  }

  /**
   * Starts a session.
   *
   * @param password the hash that was verified
   * @returns false when the password has changed, or the user was blocked, since the verification
   */
  async addSession(
    { hash, lifetime }: NewSession,
    userId: number,
    password: string,
  ): Promise<boolean> {
    const rows = await this.database.query(NEW_SESSION, [hash, userId, lifetime, password]);
    return rows.length > 0;
  }

  /** Whether the user's session is valid. Locks it until the end of the transaction. */
  async holdSession(executor: SqlExecutor, hash: Buffer, userId: number): Promise<boolean> {
    return (await executor.query(HOLD_SESSION, [hash, userId])).length > 0;
  }

  async session(hash: Buffer): Promise<SignedIn | undefined> {
    return (await this.database.query<SignedIn>(SESSION, [hash]))[0];
  }

  /** Records that the user of a session has entered the password. */
  async confirmSession(hash: Buffer, userId: number): Promise<void> {
    await this.database.query(CONFIRM, [hash, userId]);
  }

  /**
   * Ends a session, and revokes tokens of its user.
   * @param tokens their hashes
   * @returns whether a token was revoked
   */
  endSession(hash: Buffer, userId: number, tokens: readonly Buffer[]): Promise<boolean> {
    return this.endAndRevoke(END_SESSION, hash, userId, tokens);
  }

  /**
   * Signs a user out of every browser, and revokes tokens of the user.
   * @param tokens their hashes
   * @returns whether a token was revoked
   */
  endSessions(userId: number, tokens: readonly Buffer[]): Promise<boolean> {
    return this.endAndRevoke(END_ALL, userId, userId, tokens);
  }

  private endAndRevoke(
    end: Statement,
    ended: Buffer | number,
    userId: number,
    tokens: readonly Buffer[],
  ): Promise<boolean> {
    return this.database.transaction(async (executor) => {
      await executor.query(end, [ended]);
      return (await executor.query(REVOKE_TOKENS, [tokens, userId])).length > 0;
    });
  }

  /** Blocks a user and ends all sessions, or unblocks the user. @param block undefined to unblock */
  setBlocked(
    userId: number,
    block: UserBlock | undefined,
    hooks?: TransactionHooks,
  ): Promise<void> {
    return this.database.transaction(async (executor) => {
      const values = [block !== undefined, block?.reason ?? null, block?.until ?? null];
      await executor.query(BLOCK, [userId, ...values]);
      if (block) await executor.query(END_ALL, [userId]);
    }, hooks);
  }
}
