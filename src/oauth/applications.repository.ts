import { Injectable } from '@nestjs/common';
import { type Level } from '../api/access/access';
import { Database, statement, type SqlExecutor } from '../database/database';
import { lockApplication, lockForDeletion } from './application-locks';
import { logoPathSql } from './application-logos';
import { mayBeClientId } from './tokens';

const INSERT = statement(
  'applications.insert',
  `INSERT INTO applications (client_id, name, level, scopes, redirect_uris, public, owner_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id::float8 AS id`,
);

const COLUMNS = `a.id::float8 AS id, a.client_id, a.name, a.level, a.scopes, a.redirect_uris, a.public,
  a.blocked_at, a.blocked_reason, a.blocked_contact, a.limit_per_hour, a.created_at, a.homepage,
  a.description, u.uid AS owner, ${logoPathSql} AS logo,
  (SELECT p.client_id FROM applications p WHERE p.id = a.test_of) AS test_of,
  (SELECT t.client_id FROM applications t WHERE t.test_of = a.id) AS test_key`;
const TABLES = 'applications a LEFT JOIN users u ON u.id = a.owner_id';

const BY_CLIENT_ID = statement(
  'applications.by_client_id',
  `SELECT ${COLUMNS},
     (SELECT coalesce(json_agg(json_build_object(
         'since', s.created_at, 'until', s.expires_at) ORDER BY s.created_at DESC), '[]')
       FROM application_secrets s WHERE s.application_id = a.id
         AND (s.expires_at IS NULL OR s.expires_at > now())) AS secrets,
     (SELECT coalesce(json_agg(json_build_object('subject', d.subject, 'state', d.state,
         'actor', d.actor, 'reason', d.reason, 'at', d.at) ORDER BY d.id DESC), '[]')
       FROM application_decisions d WHERE d.application_id = a.id) AS decisions
   FROM ${TABLES} WHERE a.client_id = $1`,
);

const OF_OWNER = statement(
  'applications.of_owner',
  `SELECT ${COLUMNS} FROM ${TABLES} WHERE a.owner_id = $1 AND a.test_of IS NULL
   ORDER BY a.id DESC`,
);

// The lock makes concurrent creations count each other.
const LOCK_OWNER = statement(
  'applications.lock_owner',
  'SELECT id FROM users WHERE id = $1 FOR UPDATE',
);

const COUNT = statement(
  'applications.count',
  'SELECT count(*)::int AS count FROM applications WHERE owner_id = $1 AND test_of IS NULL',
);

const UPDATE = statement(
  'applications.update',
  `UPDATE applications SET name = CASE WHEN id = $1 THEN $2::text ELSE $2 || ' (test)' END,
     redirect_uris = $3, homepage = $4, description = $5
   WHERE id = $1 OR test_of = $1`,
);

const DELETE = statement('applications.delete', 'DELETE FROM applications WHERE id = $1');

const LOCK = statement(
  'applications.lock',
  `SELECT a.id::float8 AS id, a.scopes, a.level, a.blocked_at IS NOT NULL AS blocked,
     a.blocked_reason, a.blocked_contact,
     (SELECT o.client_id FROM applications o WHERE o.id = a.test_of) AS test_of
   FROM applications a WHERE a.client_id = $1 FOR UPDATE OF a`,
);

const LATEST = statement(
  'applications.latest_decisions',
  `SELECT DISTINCT ON (subject) subject, state FROM application_decisions
   WHERE application_id = $1 AND subject = ANY($2::text[]) ORDER BY subject, id DESC`,
);

const ALLOW = statement(
  'applications.allow',
  'UPDATE applications SET scopes = $2, level = $3 WHERE id = $1 OR test_of = $1',
);

const BLOCK = statement(
  'applications.block',
  `UPDATE applications SET blocked_at = CASE WHEN $2 THEN coalesce(blocked_at, now()) END,
     blocked_reason = $3, blocked_contact = $4 WHERE id = $1 OR test_of = $1`,
);

const DECIDE = statement(
  'applications.decide',
  `INSERT INTO application_decisions (application_id, subject, state, actor, reason)
   SELECT $1, subject, $3, $4, $5 FROM unnest($2::text[]) WITH ORDINALITY AS s(subject, at)
   ORDER BY at`,
);

/** States of requested scopes and levels, and of the application itself. */
export type DecisionState =
  'asked' | 'approved' | 'declined' | 'suspended' | 'blocked' | 'unblocked';

/** A decision about an application, with its actor, time and reason. */
export interface Decision {
  /** A scope, a level, or `application`. */
  readonly subject: string;
  readonly state: DecisionState;
  readonly actor: string;
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
}

/** How an application presents itself to users; empty texts for nothing. */
export interface ApplicationProfile {
  /** An address with https. */
  readonly homepage: string;
  readonly description: string;
}

/** What its owner can change. */
export interface ApplicationSettings extends ApplicationProfile {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface ApplicationRow extends ApplicationProfile {
  readonly id: number;
  readonly client_id: string;
  readonly name: string;
  readonly level: Level;
  readonly scopes: string[];
  readonly redirect_uris: string[];
  readonly public: boolean;
  readonly blocked_at: Date | null;
  readonly blocked_reason: string;
  readonly blocked_contact: string;
  /** Requests per hour; null means the limit of its level, 0 means no limit (D16). */
  readonly limit_per_hour: number | null;
  readonly created_at: Date;
  /** Uid of the user who created it; null for an administrator. */
  readonly owner: string | null;
  /** Path of its logo; null without one. */
  readonly logo: string | null;
  /** Client id of the application that this one is the test key of; null for no test key. */
  readonly test_of: string | null;
  /** Client id of its test key; null for none. */
  readonly test_key: string | null;
}

/** The state of an application that decisions change. */
export interface LockedApplication {
  readonly id: number;
  readonly scopes: readonly string[];
  readonly level: Level;
  readonly blocked: boolean;
  readonly blocked_reason: string;
  readonly blocked_contact: string;
  /** Client id of the application whose test key this is; null for others (D171). */
  readonly test_of: string | null;
}

/** An application with its valid secrets (never the secrets themselves) and its history. */
export interface ApplicationDetails extends ApplicationRow {
  readonly secrets: readonly { readonly since: string; readonly until: string | null }[];
  /** Newest first. */
  readonly decisions: readonly Decision[];
}

export interface NewApplicationRow {
  readonly clientId: string;
  readonly name: string;
  readonly level: Level;
  readonly scopes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly isPublic: boolean;
  readonly ownerId: number | undefined;
}

/** Reason and contact for the developer of a blocked application. */
export interface BlockNotice {
  readonly reason: string;
  /** Mail or web address. */
  readonly contact: string;
}

export type DeletionResult = 'deleted' | 'blocked' | 'notFound';

/**
 * Logs a change in its transaction. It is not called when nothing changes.
 * @param made what the change created
 */
export type LogChange<T = void> = (executor: SqlExecutor, made: T) => Promise<void>;

/** Applications for their owners and administrators. */
@Injectable()
export class ApplicationsRepository {
  constructor(private readonly database: Database) {}

  async insert(executor: SqlExecutor, row: NewApplicationRow): Promise<number> {
    const { clientId, name, level, scopes, redirectUris, isPublic, ownerId } = row;
    const values = [clientId, name, level, scopes, redirectUris, isPublic, ownerId ?? null];
    const [made] = await executor.query<{ id: number }>(INSERT, values);
    return made?.id ?? 0;
  }

  async details(clientId: string): Promise<ApplicationDetails | undefined> {
    if (!mayBeClientId(clientId)) return undefined;
    return (await this.database.query<ApplicationDetails>(BY_CLIENT_ID, [clientId]))[0];
  }

  listApplicationsOfOwner(ownerId: number): Promise<ApplicationRow[]> {
    return this.database.query<ApplicationRow>(OF_OWNER, [ownerId]);
  }

  /** Number of applications of a user. Locks the user, so that concurrent creations wait. */
  async countOf(executor: SqlExecutor, ownerId: number): Promise<number> {
    await executor.query(LOCK_OWNER, [ownerId]);
    return (await executor.query<{ count: number }>(COUNT, [ownerId]))[0]?.count ?? 0;
  }

  /** @returns false when the application does not exist */
  update(
    id: number,
    { name, redirectUris, homepage, description }: ApplicationSettings,
    log?: LogChange,
  ): Promise<boolean> {
    return this.database.transaction(async (executor) => {
      if (!(await lockApplication(executor, id))) return false;
      await executor.query(UPDATE, [id, name, redirectUris, homepage, description]);
      await log?.(executor);
      return true;
    });
  }

  /** Deletes an application with its tokens and usage, unless it is blocked. */
  delete(id: number, log?: LogChange): Promise<DeletionResult> {
    return this.database.transaction(async (executor) => {
      const application = await lockForDeletion(executor, id);
      if (!application) return 'notFound';
      if (application.blocked) return 'blocked';
      await executor.query(DELETE, [id]);
      await log?.(executor);
      return 'deleted';
    });
  }

  /** The scopes and level of an application, locked against concurrent decisions. */
  async lock(executor: SqlExecutor, clientId: string): Promise<LockedApplication | undefined> {
    return (await executor.query<LockedApplication>(LOCK, [clientId]))[0];
  }

  /** The latest state of each of these subjects with a decision. */
  async latest(
    executor: SqlExecutor,
    id: number,
    subjects: readonly string[],
  ): Promise<Map<string, DecisionState>> {
    const values = [id, subjects];
    const rows = await executor.query<Pick<Decision, 'subject' | 'state'>>(LATEST, values);
    return new Map(rows.map(({ subject, state }) => [subject, state]));
  }

  async allow(
    executor: SqlExecutor,
    id: number,
    scopes: readonly string[],
    level: Level,
  ): Promise<void> {
    await executor.query(ALLOW, [id, scopes, level]);
  }

  /** Blocks an application, or unblocks it without a notice. */
  async setBlocked(
    executor: SqlExecutor,
    id: number,
    block: BlockNotice | undefined,
  ): Promise<void> {
    const { reason = '', contact = '' } = block ?? {};
    await executor.query(BLOCK, [id, block !== undefined, reason, contact]);
  }

  async decide(
    executor: SqlExecutor,
    id: number,
    subjects: readonly string[],
    state: DecisionState,
    { actor, reason = '' }: { actor: string; reason?: string },
  ): Promise<void> {
    await executor.query(DECIDE, [id, subjects, state, actor, reason]);
  }
}
