import { Injectable } from '@nestjs/common';
import { MAX_RESPONSE_BYTES } from '../api/resources/list-writer';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database } from '../database/database';
import { byValue, FilteredList, type ListShape } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { shownChangesSql } from './shown-changes.sql';

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

const columnsWith = (before: string, after: string): string =>
  `l.id::text AS id, ${wireTime('l.at')} AS at, l.actor, l.actor_id::text AS actor_id, l.action,
   l.target_kind AS kind, l.target_id AS target, ${before} AS before, ${after} AS after,
   l.request_id`;

const ENTRY = 'LEFT JOIN audit_log l ON l.id = p.id';

const SHAPE = {
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
} satisfies Partial<ListShape<keyof AuditFilter>>;

const ALL = new FilteredList<keyof AuditFilter, AuditRow>({
  ...SHAPE,
  name: 'audit.list',
  columns: columnsWith('l.before', 'l.after'),
  joins: ENTRY,
});

/**
 * Bytes of states that a page reads. A response has at most half of them, because JSON without
 * spaces has at least half the bytes of PostgreSQL's text: the list ends there, and the states after
 * it are not read.
 */
const MAX_PAGE_BYTES = 2 * MAX_RESPONSE_BYTES;

const ifRead = (state: string): string =>
  `CASE WHEN coalesce(sum(octet_length(concat(l.before, l.after)))
     OVER (ORDER BY l.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
     <= ${MAX_PAGE_BYTES} THEN ${state} END`;

const BOUNDED = new FilteredList<keyof AuditFilter, AuditRow>({
  ...SHAPE,
  name: 'audit.bounded',
  columns: columnsWith(ifRead('l.before'), ifRead('l.after')),
  joins: ENTRY,
});

const SHOWN = new FilteredList<keyof AuditFilter, AuditRow>({
  ...SHAPE,
  name: 'audit.shown',
  columns: columnsWith('c.before', 'c.after'),
  joins: `${ENTRY} LEFT JOIN LATERAL (${shownChangesSql('l.before', 'l.after')}) c ON true`,
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

  /**
   * Audit entries, newest first. Entries after those that a response can have (D41) have no states.
   */
  list(filter: AuditFilter, page: PageQuery): Promise<Page<AuditRow>> {
    return BOUNDED.page(this.database, valuesOf(filter), page);
  }

  /**
   * Audit entries as pages show them, newest first: only the members that differ, and long values
   * shortened to a part around the first difference.
   */
  listShown(filter: AuditFilter, page: PageQuery): Promise<Page<AuditRow>> {
    return SHOWN.page(this.database, valuesOf(filter), page);
  }

  /** All matching audit entries. */
  scan(filter: AuditFilter): AsyncGenerator<AuditRow> {
    return ALL.scan(this.database, valuesOf(filter));
  }
}
