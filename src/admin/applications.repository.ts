import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/page';
import { Database, statement, type Runner } from '../database/database';
import { pageOf, toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { type AdminApplicationRow } from './applications.resources';

const LATEST = `SELECT DISTINCT ON (d.subject) d.subject, d.state FROM application_decisions d
  WHERE d.application_id = a.id ORDER BY d.subject, d.id DESC`;

const COLUMNS = `a.client_id, a.name, u.uid AS owner, a.level, a.public,
  array_to_json(a.scopes) AS scopes, array_to_json(a.redirect_uris) AS redirect_uris,
  a.limit_per_hour, a.blocked_at IS NOT NULL AS blocked, a.blocked_reason,
  ${wireTime('a.created_at')} AS created,
  (SELECT coalesce(json_object_agg(l.subject, l.state ORDER BY l.subject), '{}'::json)
    FROM (${LATEST}) l) AS states`;

const DECISIONS = `(SELECT coalesce(json_agg(json_build_object('subject', d.subject,
    'state', d.state, 'actor', d.actor, 'reason', d.reason, 'at', ${wireTime('d.at')})
    ORDER BY d.id DESC), '[]'::json)
  FROM application_decisions d WHERE d.application_id = a.id) AS decisions`;

const BY_CLIENT_ID = statement(
  'admin.application',
  `SELECT ${COLUMNS}, ${DECISIONS} FROM applications a LEFT JOIN users u ON u.id = a.owner_id
   WHERE a.client_id = $1`,
);

const JUST_MADE = statement(
  'admin.made_application',
  `SELECT ${COLUMNS} FROM applications a LEFT JOIN users u ON u.id = a.owner_id
   WHERE a.id = currval(pg_get_serial_sequence('applications', 'id'))`,
);

const LIST = statement(
  'admin.applications',
  pageOf({
    hits: `SELECT a.id FROM applications a LEFT JOIN users u ON u.id = a.owner_id
      WHERE ($3::text IS NULL OR strpos(lower(a.name), lower($3)) > 0 OR a.client_id = $3)
        AND ($4::text IS NULL OR u.uid = $4)
        AND CASE $5::text WHEN 'blocked' THEN a.blocked_at IS NOT NULL
          WHEN 'open' THEN a.blocked_at IS NULL
          WHEN 'waiting' THEN EXISTS (SELECT 1 FROM (${LATEST}) l WHERE l.state = 'asked')
          ELSE true END`,
    key: 'id',
    order: ['id DESC'],
    columns: COLUMNS,
    joins: 'LEFT JOIN applications a ON a.id = p.id LEFT JOIN users u ON u.id = a.owner_id',
    limit: ['$1', '$2'],
  }),
);

/** Which applications a list has; what is undefined does not choose. */
export interface ApplicationFilter {
  readonly q?: string;
  readonly owner?: string;
  readonly state?: string;
}

@Injectable()
export class AdminApplicationsRepository {
  constructor(private readonly database: Database) {}

  /** An application with its history. */
  async byClientId(
    clientId: string,
    runner: Runner = this.database,
  ): Promise<AdminApplicationRow | undefined> {
    return (await runner.run<AdminApplicationRow>(BY_CLIENT_ID, [clientId]))[0];
  }

  /** The application that a transaction has just made. */
  async justMade(runner: Runner): Promise<AdminApplicationRow | undefined> {
    return (await runner.run<AdminApplicationRow>(JUST_MADE))[0];
  }

  /** Applications, the latest first. */
  async list(filter: ApplicationFilter, page: PageQuery): Promise<Page<AdminApplicationRow>> {
    const { q = null, owner = null, state = null } = filter;
    const values = [page.count, page.start, q, owner, state];
    return toPage(await this.database.run<AdminApplicationRow & PageRow>(LIST, values), page.start);
  }
}
