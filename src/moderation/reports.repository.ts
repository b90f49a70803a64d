import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  Database,
  statement,
  type SqlExecutor,
  type Statement,
  type TransactionHooks,
} from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import {
  DECISION_FILTERS,
  decisionColumns,
  decisionFilters,
  isReportedAgainSql,
  isSameContentSql,
  isUndoableSql,
} from './decisions.sql';
import { type ReportedKind } from './reported-kinds';

/** SQL: key of the advisory lock of a content: shared for new reports, exclusive for reopening. */
const CONTENT_KEY = `hashtextextended('reports:' || $1::text || ':' || $2::bigint, 0)`;

// A repeated report replaces the reason while it is open. A moderator who reopens reports of the
// content waits for the shared lock, and sees this report. New reports do not wait for each other.
const INSERT = statement(
  'reports.insert',
  `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${CONTENT_KEY}))
   INSERT INTO reports (kind, target_id, user_id, reason) SELECT $1, $2, $3::bigint, $4 FROM locked
   ON CONFLICT (user_id, kind, target_id) WHERE decision IS NULL
   DO UPDATE SET reason = EXCLUDED.reason`,
);

const COLUMNS = `r.id::float8 AS id, r.kind, r.target_id::float8 AS target_id, u.uid AS reporter,
  r.reason, ${decisionColumns('r')}, r.comment`;

const LIST = new FilteredList<'open' | 'state' | 'kind', ReportRow>({
  name: 'reports.list',
  from: 'reports h',
  filters: { ...DECISION_FILTERS, kind: byValue('kind') },
  columns: COLUMNS,
  joins: 'LEFT JOIN reports r ON r.id = p.id LEFT JOIN users u ON u.id = r.user_id',
});

/** SQL: whether two reports are open reports of the same content. */
const sameOpenContent = (one: string, other: string): string =>
  `${isSameContentSql(one, other)} AND ${one}.decision IS NULL AND ${other}.decision IS NULL`;

/** SQL: whether one decision resolved two reports of the same content. */
const sameDecision = (one: string, other: string): string =>
  `${isSameContentSql(one, other)}
   AND ${one}.decision = ${other}.decision AND ${one}.decided_at = ${other}.decided_at
   AND ${one}.decided_by IS NOT DISTINCT FROM ${other}.decided_by`;

/** A list of reported content: the first report of each entry, with all its reports. */
const contentList = (
  name: string,
  isSameEntry: (one: string, other: string) => string,
  descending: boolean,
): FilteredList<'open' | 'state', ReportedContentRow> =>
  new FilteredList({
    name,
    from: 'reports h',
    always: `NOT EXISTS (SELECT 1 FROM reports e WHERE ${isSameEntry('h', 'e')} AND e.id < h.id)`,
    filters: DECISION_FILTERS,
    descending,
    columns: `${COLUMNS}, (SELECT json_agg(json_build_object('uid', w.uid, 'user_id', w.id,
        'reason', e.reason, 'created', ${wireTime('e.created_at')}) ORDER BY e.id)
      FROM reports e JOIN users w ON w.id = e.user_id WHERE ${isSameEntry('r', 'e')}) AS reports`,
    joins: 'LEFT JOIN reports r ON r.id = p.id LEFT JOIN users u ON u.id = r.user_id',
  });

const OPEN_CONTENTS = contentList('reports.open_contents', sameOpenContent, false);
const DECIDED_CONTENTS = contentList('reports.decided_contents', sameDecision, true);

// Serializes concurrent decisions about the same content.
const LOCK_OPEN = statement(
  'reports.lock_open',
  `SELECT ${COLUMNS} FROM reports r JOIN users u ON u.id = r.user_id
   WHERE r.kind = $1 AND r.target_id = $2 AND r.decision IS NULL ORDER BY r.id FOR UPDATE OF r`,
);

const BY_IDS = statement(
  'reports.by_ids',
  `SELECT ${COLUMNS} FROM reports r JOIN users u ON u.id = r.user_id
   WHERE r.id = ANY($1::bigint[]) ORDER BY r.id`,
);

// `decided_at` has microseconds, because it distinguishes decisions of a moderator about a content.
const RESOLVE = statement(
  'reports.resolve',
  `UPDATE reports SET decision = $2, decided_by = $3, comment = $4, decided_at = now()
   WHERE id = ANY($1::bigint[]) RETURNING id::float8 AS id`,
);

// Locks the reports of a decision that its moderator may still undo.
const LOCK_UNDOABLE = statement(
  'reports.lock_undoable',
  `SELECT ${COLUMNS} FROM reports d JOIN reports r ON ${sameDecision('d', 'r')}
     JOIN users u ON u.id = r.user_id
   WHERE d.id = $1 AND ${isUndoableSql('d', '$2')} ORDER BY r.id FOR UPDATE OF r`,
);

const LOCK_CONTENT = statement(
  'reports.lock_content',
  `SELECT pg_advisory_xact_lock(${CONTENT_KEY})`,
);

// A user who has reported the content again since keeps the newer report. Earlier versions stored
// whole seconds, so two decisions can look like one that resolved two reports of a user: only the
// later report is reopened.
const REOPEN = statement(
  'reports.reopen',
  `UPDATE reports r SET decision = NULL, decided_by = NULL, decided_at = NULL, comment = ''
   WHERE r.id IN (SELECT max(e.id) FROM reports e WHERE e.id = ANY($1::bigint[]) GROUP BY e.user_id)
     AND NOT ${isReportedAgainSql('r')}
   RETURNING r.id::float8 AS id`,
);

export const REPORT_STATES = ['open', 'dismissed', 'hidden'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** A report that a user sends. */
export interface NewReport {
  readonly kind: ReportedKind;
  /** Id of the content. */
  readonly id: number;
  readonly userId: number;
  readonly reason: string;
}

/** A user's report of content. */
export interface ReportRow {
  readonly id: number;
  readonly kind: ReportedKind;
  readonly target_id: number;
  readonly reporter: string;
  readonly reason: string;
  readonly created: string;
  readonly state: ReportState;
  readonly decided: string | null;
  readonly decided_by: string | null;
  readonly comment: string;
}

/** A report of content by a user. */
export interface ReportSummary {
  readonly uid: string;
  readonly user_id: number;
  readonly reason: string;
  readonly created: string;
}

/** A content with its open reports, or with those that one decision resolved, oldest first. */
export interface ReportedContentRow extends ReportRow {
  readonly reports: readonly ReportSummary[];
}

@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  /** Inserts a report, or replaces the reason of the user's open report of the content. */
  async insertReport(
    { kind, id, userId, reason }: NewReport,
    hooks?: TransactionHooks,
  ): Promise<void> {
    await this.database.transaction(async (executor) => {
      await executor.query(INSERT, [kind, id, userId, reason]);
    }, hooks);
  }

  /** Reports in a state, oldest first. */
  list(
    state: ReportState,
    kind: ReportedKind | undefined,
    page: PageQuery,
  ): Promise<Page<ReportRow>> {
    return LIST.page(this.database, { ...decisionFilters(state), kind }, page);
  }

  /** All matching reports. */
  scan(state: ReportState, kind: ReportedKind | undefined): AsyncGenerator<ReportRow> {
    return LIST.scan(this.database, { ...decisionFilters(state), kind });
  }

  /**
   * Content with reports in a state. Content with open reports begins with the oldest report,
   * decided ones with the newest.
   */
  listReportedContent(state: ReportState, page: PageQuery): Promise<Page<ReportedContentRow>> {
    const list = state === 'open' ? OPEN_CONTENTS : DECIDED_CONTENTS;
    return list.page(this.database, decisionFilters(state), page);
  }

  async findReport(
    id: number,
    executor: SqlExecutor = this.database,
  ): Promise<ReportRow | undefined> {
    return (await executor.query<ReportRow>(BY_IDS, [[id]]))[0];
  }

  /** Locks the open reports of the same content until the transaction ends. */
  lockOpen(executor: SqlExecutor, { kind, target_id }: ReportRow): Promise<ReportRow[]> {
    return executor.query<ReportRow>(LOCK_OPEN, [kind, target_id]);
  }

  /**
   * Locks the reports that a decision resolved. It waits for new reports of the same content that
   * are not committed yet.
   * @returns none when the moderator cannot undo the decision any more
   */
  async lockUndoable(
    executor: SqlExecutor,
    { id, kind, target_id }: ReportRow,
    by: string,
  ): Promise<ReportRow[]> {
    await executor.query(LOCK_CONTENT, [kind, target_id]);
    return executor.query<ReportRow>(LOCK_UNDOABLE, [id, by]);
  }

  /**
   * Resolves locked reports. A report that arrives after the lock stays open, because the moderator
   * has not seen it and the audit log has no state before the decision.
   * @returns the resolved reports, oldest first
   */
  resolve(
    executor: SqlExecutor,
    locked: readonly ReportRow[],
    state: ReportState,
    by: string,
    comment: string,
  ): Promise<ReportRow[]> {
    return this.change(executor, RESOLVE, [locked.map(({ id }) => id), state, by, comment]);
  }

  /** Opens resolved reports again. @returns the open reports, oldest first */
  reopen(executor: SqlExecutor, reports: readonly ReportRow[]): Promise<ReportRow[]> {
    return this.change(executor, REOPEN, [reports.map(({ id }) => id)]);
  }

  private async change(
    executor: SqlExecutor,
    update: Statement,
    values: readonly unknown[],
  ): Promise<ReportRow[]> {
    const changed = await executor.query<{ id: number }>(update, values);
    return executor.query<ReportRow>(BY_IDS, [changed.map(({ id }) => id)]);
  }
}
