import { statement, type SqlExecutor } from '../database/database';

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
  g.revoked_at IS NOT NULL AS revoked, u.id::float8 AS user_id, u.uid, u.name AS user_name,
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

// Of many at once, one changes the row; the others wait for it and then find it used.
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

const REVOKE_BETWEEN = statement(
  'grants.revoke_between',
  `UPDATE grants g SET revoked_at = now() FROM applications a
   WHERE a.id = g.application_id AND g.user_id = $1 AND a.client_id = $2 AND g.revoked_at IS NULL
   RETURNING 1`,
);

const REVOKE_OF_USER = statement(
  'grants.revoke_of_user',
  `UPDATE grants SET revoked_at = now(), revoked_reason = $2
   WHERE user_id = $1 AND revoked_at IS NULL`,
);

// Tokens that administrators issued belong to no grant.
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

// Revoked grants stay to be told from unknown ones as long as their tokens would have lived.
const AUTHORIZED = statement(
  'grants.authorized',
  `SELECT a.client_id, a.name, min(g.created_at) AS since,
     array(SELECT DISTINCT scope FROM grants o, unnest(o.scopes) scope
       WHERE o.user_id = $1 AND o.application_id = a.id AND o.revoked_at IS NULL
       ORDER BY scope) AS scopes
   FROM grants g JOIN applications a ON a.id = g.application_id
   WHERE g.user_id = $1 AND g.revoked_at IS NULL AND (
     EXISTS (SELECT 1 FROM refresh_tokens r
       WHERE r.grant_id = g.id AND r.used_at IS NULL AND r.expires_at > now())
     OR EXISTS (SELECT 1 FROM access_tokens t
       WHERE t.grant_id = g.id AND t.revoked_at IS NULL AND t.expires_at > now()))
   GROUP BY a.id ORDER BY a.name, a.id`,
);

/** What a code or a refresh token belongs to. */
export interface OfGrant {
  readonly grant_id: number;
  readonly application_id: number;
  readonly revoked: boolean;
  readonly user_id: number;
  readonly uid: string;
  readonly user_name: string;
  readonly user_blocked: boolean;
  readonly scopes: string[];
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly used: boolean;
}

/** Why the grants of a user are all revoked at once. */
export type RevocationReason = 'password_changed';

export interface StoredCode extends OfGrant {
  /** As the authorization request had it; null when it had none. */
  readonly redirect_uri: string | null;
  readonly code_challenge: string | null;
}

/** An application that a user has let in. */
export interface Authorized {
  readonly client_id: string;
  readonly name: string;
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

/** Statements on grants, on whatever connection or transaction they are given. */
export const grants = {
  /** Starts a grant, with the code that it is fetched with. */
  async addCode(runner: SqlExecutor, code: NewCode): Promise<void> {
    const { hash, applicationId, userId, scopes, redirectUri, codeChallenge, lifetime } = code;
    const [made] = await runner.query<{ id: number }>(NEW_GRANT, [applicationId, userId, scopes]);
    const values = [hash, made?.id, redirectUri ?? null, codeChallenge ?? null, scopes, lifetime];
    await runner.query(NEW_CODE, values);
  },

  async code(runner: SqlExecutor, hash: Buffer): Promise<StoredCode | undefined> {
    return (await runner.query<StoredCode>(CODE, [hash]))[0];
  },

  async refreshToken(runner: SqlExecutor, hash: Buffer): Promise<OfGrant | undefined> {
    return (await runner.query<OfGrant>(REFRESH, [hash]))[0];
  },

  /** Whether this was the first use. */
  async useCode(runner: SqlExecutor, hash: Buffer): Promise<boolean> {
    return (await runner.query(USE_CODE, [hash])).length > 0;
  },

  /** Whether this was the first use. */
  async useRefreshToken(runner: SqlExecutor, hash: Buffer): Promise<boolean> {
    return (await runner.query(USE_REFRESH, [hash])).length > 0;
  },

  /** Ends a grant: every token of it is dead from now on, also those issued meanwhile. */
  async revoke(runner: SqlExecutor, grantId: number): Promise<boolean> {
    return (await runner.query(REVOKE_GRANT, [grantId])).length > 0;
  },

  /** Ends everything that a user granted an application; how many grants there were. */
  async revokeBetween(runner: SqlExecutor, userId: number, clientId: string): Promise<number> {
    return (await runner.query(REVOKE_BETWEEN, [userId, clientId])).length;
  },

  /**
   * Revokes everything that acts in a user's name: all grants with their tokens, and tokens without
   * a grant. Tokens of applications themselves are no user's.
   */
  async revokeAllOfUser(
    runner: SqlExecutor,
    userId: number,
    reason: RevocationReason,
  ): Promise<void> {
    await runner.query(REVOKE_OF_USER, [userId, reason]);
    await runner.query(REVOKE_TOKENS_OF_USER, [userId, reason]);
  },

  async addAccessToken(runner: SqlExecutor, values: readonly unknown[]): Promise<void> {
    await runner.query(NEW_ACCESS, values);
  },

  async addRefreshToken(runner: SqlExecutor, values: readonly unknown[]): Promise<void> {
    await runner.query(NEW_REFRESH, values);
  },

  /** Applications that a user has let in, by name. */
  authorized(runner: SqlExecutor, userId: number): Promise<Authorized[]> {
    return runner.query<Authorized>(AUTHORIZED, [userId]);
  },
};
