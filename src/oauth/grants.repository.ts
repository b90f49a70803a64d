import { type Role } from '../api/access/access';
import { setWriter } from '../api/http/current-request';
import { statement, type SqlExecutor } from '../database/database';
import { logoPathSql } from './application-logos';

const NEW_GRANT = statement(
  'grants.new',
  `INSERT INTO grants (application_id, user_id, scopes) VALUES ($1, $2, $3)
   RETURNING id::float8 AS id`,
);

const NEW_CODE = statement(
  'grants.new_code',
  `INSERT INTO authorization_codes (hash, grant_id, redirect_uri, code_challenge, scopes, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
);

const OF_GRANT = `
  g.id::float8 AS grant_id, g.application_id::float8 AS application_id,
  g.revoked_at IS NOT NULL AS revoked, u.id::float8 AS user_id, u.uid, u.name AS user_name, u.role,
  u.blocked_at IS NOT NULL AS user_blocked`;

const CODE = statement(
  'grants.code',
  `SELECT c.redirect_uri, c.code_challenge, c.scopes, c.expires_at, c.used_at IS NOT NULL AS used,
     g.created_at, ${OF_GRANT}
   FROM authorization_codes c JOIN grants g ON g.id = c.grant_id JOIN users u ON u.id = g.user_id
   WHERE c.hash = $1`,
);

const REFRESH = statement(
  'grants.refresh_token',
  `SELECT r.scopes, r.expires_at, r.used_at IS NOT NULL AS used, r.created_at, ${OF_GRANT}
   FROM refresh_tokens r JOIN grants g ON g.id = r.grant_id JOIN users u ON u.id = g.user_id
   WHERE r.hash = $1`,
);

// Of concurrent requests only one updates the row. The others wait for its lock and update nothing.
const USE_CODE = statement(
  'grants.use_code',
  'UPDATE authorization_codes SET used_at = now() WHERE hash = $1 AND used_at IS NULL RETURNING 1',
);

const USE_REFRESH = statement(
  'grants.use_refresh_token',
  'UPDATE refresh_tokens SET used_at = now() WHERE hash = $1 AND used_at IS NULL RETURNING 1',
);

const REVOKE_GRANT = statement(
  'grants.revoke',
  'UPDATE grants SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING 1',
);

// Tokens issued by administrators or by the documentation have no grant.
const REVOKE_BETWEEN = statement(
  'grants.revoke_between',
  `WITH revoked AS (
     UPDATE grants g SET revoked_at = now() FROM applications a
     WHERE a.id = g.application_id AND g.user_id = $1 AND a.client_id = $2 AND g.revoked_at IS NULL
     RETURNING 1),
   tokens AS (
     UPDATE access_tokens t SET revoked_at = now() FROM applications a
     WHERE a.id = t.application_id AND t.user_id = $1 AND a.client_id = $2 AND t.grant_id IS NULL
       AND t.revoked_at IS NULL AND t.expires_at > now()
     RETURNING 1)
   SELECT 1 FROM revoked UNION ALL SELECT 1 FROM tokens`,
);

const REVOKE_OF_USER = statement(
  'grants.revoke_of_user',
  `UPDATE grants SET revoked_at = now(), revoked_reason = $2
   WHERE user_id = $1 AND revoked_at IS NULL`,
);

const REVOKE_TOKENS_OF_USER = statement(
  'grants.revoke_tokens_of_user',
  `UPDATE access_tokens SET revoked_at = now(), revoked_reason = $2
   WHERE user_id = $1 AND grant_id IS NULL AND revoked_at IS NULL AND expires_at > now()`,
);

const NEW_ACCESS = statement(
  'grants.new_access_token',
  `INSERT INTO access_tokens (hash, application_id, user_id, scopes, expires_at, grant_id)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);

const NEW_REFRESH = statement(
  'grants.new_refresh_token',
  'INSERT INTO refresh_tokens (hash, grant_id, scopes, expires_at) VALUES ($1, $2, $3, $4)',
);

// Revoked grants stay in the table until the sweeper deletes their tokens.
const AUTHORIZED = statement(
  'grants.authorized',
  `WITH access AS (
     SELECT g.application_id, g.created_at, g.scopes FROM grants g
     WHERE g.user_id = $1 AND g.revoked_at IS NULL AND (
       EXISTS (SELECT 1 FROM refresh_tokens r
         WHERE r.grant_id = g.id AND r.used_at IS NULL AND r.expires_at > now())
       OR EXISTS (SELECT 1 FROM access_tokens t
         WHERE t.grant_id = g.id AND t.revoked_at IS NULL AND t.expires_at > now()))
     UNION ALL
     SELECT t.application_id, t.created_at, t.scopes FROM access_tokens t
     WHERE t.user_id = $1 AND t.grant_id IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()),
   authorized AS (
     SELECT access.application_id, min(access.created_at) AS since,
       array_agg(DISTINCT scope ORDER BY scope) FILTER (WHERE scope IS NOT NULL) AS scopes
     FROM access LEFT JOIN unnest(access.scopes) scope ON true
     GROUP BY access.application_id)
   SELECT a.client_id, a.name, ${logoPathSql} AS logo, authorized.since,
     coalesce(authorized.scopes, '{}') AS scopes
   FROM authorized JOIN applications a ON a.id = authorized.application_id
   ORDER BY a.name, a.id`,
);

/** A code or refresh token with its grant and user. */
export interface OfGrant {
  readonly grant_id: number;
  readonly application_id: number;
  readonly revoked: boolean;
  readonly user_id: number;
  readonly uid: string;
  readonly user_name: string;
  readonly role: Role;
  readonly user_blocked: boolean;
  readonly scopes: string[];
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly used: boolean;
}

/** The reason for revoking all grants of a user. */
export type RevocationReason = 'password_changed';

export interface StoredCode extends OfGrant {
  /** `redirect_uri` of the authorization request; null when it had none. */
  readonly redirect_uri: string | null;
  readonly code_challenge: string | null;
}

/** An application that has access to the account of a user. */
export interface Authorized {
  readonly client_id: string;
  readonly name: string;
  /** Path of its logo; null without one. */
  readonly logo: string | null;
  readonly since: Date;
  readonly scopes: string[];
}

export interface NewCode {
  readonly hash: Buffer;
  readonly applicationId: number;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly redirectUri: string | undefined;
  readonly codeChallenge: string | undefined;
  /** Seconds. */
  readonly lifetime: number;
}

/** Statements on grants; each runs on the given executor, for example a transaction. */
export const grants = {
  /** Creates a grant with its authorization code. */
  async addCode(executor: SqlExecutor, code: NewCode): Promise<void> {
    const { hash, applicationId, userId, scopes, redirectUri, codeChallenge, lifetime } = code;
    const [made] = await executor.query<{ id: number }>(NEW_GRANT, [applicationId, userId, scopes]);
    const values = [hash, made?.id, redirectUri ?? null, codeChallenge ?? null, scopes, lifetime];
    await executor.query(NEW_CODE, values);
  },

  async code(executor: SqlExecutor, hash: Buffer): Promise<StoredCode | undefined> {
    return (await executor.query<StoredCode>(CODE, [hash]))[0];
  },

  async refreshToken(executor: SqlExecutor, hash: Buffer): Promise<OfGrant | undefined> {
    return (await executor.query<OfGrant>(REFRESH, [hash]))[0];
  },

  /** Marks a code as used. @returns false when it was used before */
  async useCode(executor: SqlExecutor, hash: Buffer): Promise<boolean> {
    return (await executor.query(USE_CODE, [hash])).length > 0;
  },

  /** Marks a refresh token as used. @returns false when it was used before */
  async useRefreshToken(executor: SqlExecutor, hash: Buffer): Promise<boolean> {
    return (await executor.query(USE_REFRESH, [hash])).length > 0;
  },

  /** Revokes a grant with all its tokens, also those issued concurrently. */
  async revoke(executor: SqlExecutor, grantId: number): Promise<boolean> {
    return (await executor.query(REVOKE_GRANT, [grantId])).length > 0;
  },

  /**
   * Revokes the grants of a user to an application, and the tokens of the user that the application
   * has without a grant. @returns the number of both
   */
  async revokeBetween(executor: SqlExecutor, userId: number, clientId: string): Promise<number> {
    return (await executor.query(REVOKE_BETWEEN, [userId, clientId])).length;
  },

  /**
   * Revokes all grants of a user with their tokens, and the user's tokens without a grant. Tokens
   * of applications themselves stay valid.
   */
  async revokeAllOfUser(
    executor: SqlExecutor,
    userId: number,
    reason: RevocationReason,
  ): Promise<void> {
    await executor.query(REVOKE_OF_USER, [userId, reason]);
    await executor.query(REVOKE_TOKENS_OF_USER, [userId, reason]);
  },

  async addAccessToken(executor: SqlExecutor, values: readonly unknown[]): Promise<void> {
    const userId = values[2];
    // The user's next reads must find what led to this token, such as a new account.
    if (typeof userId === 'number') setWriter(userId);
    await executor.query(NEW_ACCESS, values);
  },

  async addRefreshToken(executor: SqlExecutor, values: readonly unknown[]): Promise<void> {
    await executor.query(NEW_REFRESH, values);
  },

  /** Applications that a user has authorized, sorted by name. */
  authorized(executor: SqlExecutor, userId: number): Promise<Authorized[]> {
    return executor.query<Authorized>(AUTHORIZED, [userId]);
  },
};
