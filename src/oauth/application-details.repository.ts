import { Injectable } from '@nestjs/common';
import { type Level } from '../api/access/access';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor } from '../database/database';
import { FilteredList, hasPart } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { logoPathSql } from './application-logos';
import { mayBeClientId } from './tokens';

/** An application as administrators see it, without secrets. */
export interface AdminApplicationRow {
  readonly client_id: string;
  readonly name: string;
  /** Uid; null when an administrator created it. */
  readonly owner: string | null;
  readonly level: Level;
  readonly public: boolean;
  readonly scopes: readonly string[];
  readonly redirect_uris: readonly string[];
  readonly limit_per_hour: number | null;
  readonly blocked: boolean;
  readonly blocked_reason: string;
  readonly blocked_contact: string;
  readonly created: string;
  /** Path of its logo; null without one. */
  readonly logo: string | null;
  /** The latest decision on each scope and level. */
  readonly states: Readonly<Record<string, string>>;
}

/** A request of a developer, or a decision of an administrator, about a scope or level. */
export interface ApplicationDecision {
  readonly subject: string;
  readonly state: string;
  readonly actor: string;
  readonly reason: string;
  readonly at: string;
}

/** An application with its decisions, newest first. */
export interface AdminApplicationDetails extends AdminApplicationRow {
  readonly decisions: readonly ApplicationDecision[];
}

const LATEST = `SELECT DISTINCT ON (d.subject) d.subject, d.state FROM application_decisions d
  WHERE d.application_id = a.id ORDER BY d.subject, d.id DESC`;

const COLUMNS = `a.client_id, a.name, u.uid AS owner, a.level, a.public,
  array_to_json(a.scopes) AS scopes, array_to_json(a.redirect_uris) AS redirect_uris,
  a.limit_per_hour, a.blocked_at IS NOT NULL AS blocked, a.blocked_reason,
  a.blocked_contact,
  ${wireTime('a.created_at')} AS created, ${logoPathSql} AS logo,
  (SELECT coalesce(json_object_agg(l.subject, l.state ORDER BY l.subject), '{}'::json)
    FROM (${LATEST}) l) AS states`;

const DECISIONS = `(SELECT coalesce(json_agg(json_build_object('subject', d.subject,
    'state', d.state, 'actor', d.actor, 'reason', d.reason, 'at', ${wireTime('d.at')})
    ORDER BY d.id DESC), '[]'::json)
  FROM application_decisions d WHERE d.application_id = a.id) AS decisions`;

const BY_CLIENT_ID = statement(
  'applications.details',
  `SELECT ${COLUMNS}, ${DECISIONS} FROM applications a LEFT JOIN users u ON u.id = a.owner_id
   WHERE a.client_id = $1`,
);

const CREATED = statement(
  'applications.created_details',
  `SELECT ${COLUMNS} FROM applications a LEFT JOIN users u ON u.id = a.owner_id
   WHERE a.id = currval(pg_get_serial_sequence('applications', 'id'))`,
);

/** Condition for applications with an undecided request. */
const WAITING = `h.id IN (SELECT d.application_id FROM application_decisions d
  WHERE d.state = 'asked' AND NOT d.superseded)`;

const LIST = new FilteredList<'q' | 'owner' | 'waiting' | 'open' | 'blocked', AdminApplicationRow>({
  name: 'applications.list',
  from: 'applications h',
  descending: true,
  filters: {
    q: {
      sql: (q = '') => `(${hasPart('h.name', q)}) OR h.client_id = ${q}`,
      few: true,
    },
    owner: {
      sql: (uid = '') => `h.owner_id = (SELECT o.id FROM users o WHERE o.uid = ${uid})`,
      few: true,
    },
    waiting: { sql: () => WAITING, flag: true, few: true },
    open: { sql: () => 'h.blocked_at IS NULL', flag: true },
    blocked: { sql: () => 'h.blocked_at IS NOT NULL', flag: true },
  },
  columns: COLUMNS,
  joins: 'LEFT JOIN applications a ON a.id = p.id LEFT JOIN users u ON u.id = a.owner_id',
});

const wantedOf = ({ q, owner, state }: ApplicationFilter) => ({
  ...{ q: q === '' ? undefined : q, owner },
  ...{ waiting: state === 'waiting', open: state === 'open', blocked: state === 'blocked' },
});

/** Filters of the list of applications; undefined means any. */
export interface ApplicationFilter {
  readonly q?: string;
  readonly owner?: string;
  readonly state?: string;
}

/** Applications as administrators see them. */
@Injectable()
export class ApplicationDetailsRepository {
  constructor(private readonly database: Database) {}

  /** An application with its history. */
  async findApplication(
    clientId: string,
    executor: SqlExecutor = this.database,
  ): Promise<AdminApplicationDetails | undefined> {
    if (!mayBeClientId(clientId)) return undefined;
    return (await executor.query<AdminApplicationDetails>(BY_CLIENT_ID, [clientId]))[0];
  }

  /** The application that the transaction has just created. */
  async findCreated(executor: SqlExecutor): Promise<AdminApplicationRow | undefined> {
    return (await executor.query<AdminApplicationRow>(CREATED))[0];
  }

  /** Applications, newest first. */
  list(filter: ApplicationFilter, page: PageQuery): Promise<Page<AdminApplicationRow>> {
    return LIST.page(this.database, wantedOf(filter), page);
  }

  /** All matching applications. */
  scan(filter: ApplicationFilter): AsyncGenerator<AdminApplicationRow> {
    return LIST.scan(this.database, wantedOf(filter));
  }
}
