import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/page';
import { Database, statement } from '../database/database';
import { pageOf, toPage, type PageRow } from '../database/page-of';
import { wireTime } from '../database/wire-time';
import { type AuditRow } from './audit.resources';

const LIST = statement(
  'audit.list',
  pageOf({
    hits: `SELECT id FROM audit_log
      WHERE ($3::text IS NULL OR actor = $3) AND ($4::text IS NULL OR action = $4)
        AND ($5::text IS NULL OR target_kind = $5) AND ($6::text IS NULL OR target_id = $6)
        AND ($7::timestamptz IS NULL OR at >= $7) AND ($8::timestamptz IS NULL OR at < $8)`,
    key: 'id',
    order: ['id DESC'],
    columns: `l.id::text AS id, ${wireTime('l.at')} AS at, l.actor, l.actor_id::text AS actor_id,
      l.action, l.target_kind AS kind, l.target_id AS target, l.before, l.after, l.request_id`,
    joins: 'LEFT JOIN audit_log l ON l.id = p.id',
    limit: ['$1', '$2'],
  }),
);

/** Which changes are wanted; what is undefined does not choose. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly kind?: string;
  readonly id?: string;
  /** From this moment on, and before that one. */
  readonly from?: Date;
  readonly to?: Date;
}

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** What was changed, the latest first. */
  async list(filter: AuditFilter, page: PageQuery): Promise<Page<AuditRow>> {
    const { actor = null, action = null, kind = null, id = null, from, to } = filter;
    const rows = await this.database.run<AuditRow & PageRow>(LIST, [
      ...[page.count, page.start, actor, action, kind, id],
      ...[from?.toISOString() ?? null, to?.toISOString() ?? null],
    ]);
    return toPage(rows, page.start);
  }
}
