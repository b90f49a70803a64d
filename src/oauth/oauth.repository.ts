import { Injectable } from '@nestjs/common';
import {
  type CallingApplication,
  type CallingUser,
  type Level,
  type Role,
} from '../api/access/access';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { preferringPrimary } from '../database/replicas/replicable';

const TOKEN = preferringPrimary(
  statement(
    'oauth.token',
    `SELECT t.scopes, (t.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL) AS revoked,
     coalesce(CASE WHEN t.revoked_at IS NULL THEN g.revoked_reason ELSE t.revoked_reason END
       = 'password_changed', false) AS password_changed,
     extract(epoch FROM t.expires_at)::float8 * 1000 AS expires_at,
     extract(epoch FROM t.created_at)::float8 * 1000 AS created_at,
     a.id AS application_id, a.client_id, a.level, a.scopes AS approved, a.limit_per_hour,
     a.test_of IS NOT NULL AS is_test,
     a.blocked_at IS NOT NULL AS application_blocked, a.blocked_reason, a.blocked_contact,
     u.id AS user_id, u.uid, u.role, u.blocked_at IS NOT NULL AS user_blocked
   FROM access_tokens t
   JOIN applications a ON a.id = t.application_id
   LEFT JOIN users u ON u.id = t.user_id
   LEFT JOIN grants g ON g.id = t.grant_id
   WHERE t.hash = $1`,
  ),
);

const TOKEN_DETAILS = statement(
  'oauth.token_details',
  `SELECT a.client_id, u.uid AS user, array_to_json(t.scopes) AS scopes,
     t.revoked_at IS NOT NULL AS revoked
   FROM access_tokens t JOIN applications a ON a.id = t.application_id
   LEFT JOIN users u ON u.id = t.user_id WHERE t.hash = $1`,
);

const APPLICATION = preferringPrimary(
  statement(
    'oauth.application',
    `SELECT id AS application_id, client_id, level, scopes AS approved, limit_per_hour,
     test_of IS NOT NULL AS is_test,
     blocked_at IS NOT NULL AS application_blocked, blocked_reason, blocked_contact
   FROM applications WHERE client_id = $1`,
  ),
);

const REVOKE = statement(
  'oauth.revoke',
  `UPDATE access_tokens SET revoked_at = now()
   WHERE hash = $1 AND revoked_at IS NULL RETURNING 1`,
);

interface ApplicationRow {
  readonly application_id: string;
  readonly client_id: string;
  readonly level: Level;
  readonly approved: string[];
  readonly application_blocked: boolean;
  readonly blocked_reason: string;
  readonly blocked_contact: string;
  readonly limit_per_hour: number | null;
  readonly is_test: boolean;
}

interface TokenRow extends ApplicationRow {
  readonly scopes: string[];
  readonly revoked: boolean;
  readonly password_changed: boolean;
  readonly expires_at: number;
  readonly created_at: number;
  readonly user_id: string | null;
  readonly uid: string | null;
  readonly role: Role | null;
  readonly user_blocked: boolean;
}

/** A stored token with its application and user. */
export interface StoredToken {
  readonly scopes: ReadonlySet<string>;
  readonly revoked: boolean;
  /** Whether a change or reset of the user's password revoked it (D50). */
  readonly passwordChanged: boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly application: CallingApplication;
  readonly user: CallingUser | undefined;
  readonly userBlocked: boolean;
}

/** A token as administrators see it, without its value. */
export interface TokenDetails {
  readonly client_id: string;
  /** Uid; null for a token without a user. */
  readonly user: string | null;
  readonly scopes: readonly string[];
  readonly revoked: boolean;
}

const toApplication = (row: ApplicationRow): CallingApplication => ({
  id: Number(row.application_id),
  clientId: row.client_id,
  level: row.level,
  scopes: new Set(row.approved),
  blocked: row.application_blocked,
  blockedReason: row.blocked_reason,
  blockedContact: row.blocked_contact,
  limitPerHour: row.limit_per_hour,
  isTest: row.is_test,
});

@Injectable()
export class OauthRepository {
  constructor(private readonly database: Database) {}

  async token(hash: Buffer): Promise<StoredToken | undefined> {
    const [row] = await this.database.query<TokenRow>(TOKEN, [hash]);
    if (!row) return undefined;
    return {
      scopes: new Set(row.scopes),
      revoked: row.revoked,
      passwordChanged: row.password_changed,
      expiresAt: row.expires_at,
      createdAt: row.created_at,
      application: toApplication(row),
      user:
        row.user_id === null
          ? undefined
          : { id: Number(row.user_id), uid: row.uid ?? '', role: row.role ?? 'member' },
      userBlocked: row.user_blocked,
    };
  }

  async findTokenDetails(
    hash: Buffer,
    executor: SqlExecutor = this.database,
  ): Promise<TokenDetails | undefined> {
    return (await executor.query<TokenDetails>(TOKEN_DETAILS, [hash]))[0];
  }

  async application(clientId: string): Promise<CallingApplication | undefined> {
    const [row] = await this.database.query<ApplicationRow>(APPLICATION, [clientId]);
    return row && toApplication(row);
  }

  /** Revokes a token. @returns false when it does not exist or was revoked before */
  async revoke(hash: Buffer, hooks?: TransactionHooks): Promise<boolean> {
    const revoked = await this.database.transaction(
      (runner) => runner.query(REVOKE, [hash]),
      hooks,
    );
    return revoked.length > 0;
  }
}
