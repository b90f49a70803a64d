import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';

/** An entry of the audit log. */
export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly actor_id: number | null;
  readonly action: string;
  readonly kind: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly request_id: string | null;
}

const LIST = new FilteredList<keyof AuditFilter, AuditRow>({
  name: 'audit.list',
  from: 'audit_log h',
  descending: true,
  filters: {
    actor: byValue('actor'),
    action: byValue('action'),
    kind: byValue('target_kind'),
    id: byValue('target_id'),
    from: { sql: (from = '') => `h.at >= ${from}::timestamptz`, few: true },
    to: { sql: (to = '') => `h.at < ${to}::timestamptz`, few: true },
  },
  columns: `l.id::text AS id, ${wireTime('l.at')} AS at, l.actor, l.actor_id::text AS actor_id,
    l.action, l.target_kind AS kind, l.target_id AS target, l.before, l.after, l.request_id`,
  joins: 'LEFT JOIN audit_log l ON l.id = p.id',
});

/** Filters of the audit log; undefined means any. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly kind?: string;
  readonly id?: string;
  /** Inclusive start and exclusive end. A text is a PostgreSQL timestamp in `TIME_ZONE`. */
  readonly from?: Date | string;
  readonly to?: Date | string;
}

const timeOf = (time: Date | string | undefined): string | undefined =>
  typeof time === 'string' ? time : time?.toISOString();

const valuesOf = (filter: AuditFilter) => ({
  ...filter,
  from: timeOf(filter.from),
  to: timeOf(filter.to),
});

/** Reads the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Audit entries, newest first. */
  list(filter: AuditFilter, page: PageQuery): Promise<Page<AuditRow>> {
    return LIST.page(this.database, valuesOf(filter), page);
  }

  /** All matching audit entries. */
  scan(filter: AuditFilter): AsyncGenerator<AuditRow> {
    return LIST.scan(this.database, valuesOf(filter));
  }
}
