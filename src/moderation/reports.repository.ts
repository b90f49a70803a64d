import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { DECISION_FILTERS, decisionColumns, decisionFilters } from './decisions.sql';
import { type ReportedKind } from './reported-kinds';

// A repeated report replaces the reason while it is open.
const INSERT = statement(
  'reports.insert',
  `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ($1, $2, $3, $4)
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

// A decision resolves all open reports of the same content.
const RESOLVE = statement(
  'reports.resolve',
  `UPDATE reports SET decision = $3, decided_by = $4, comment = $5,
     decided_at = date_trunc('second', now())
   WHERE kind = $1 AND target_id = $2 AND decision IS NULL RETURNING id::float8 AS id`,
);

export const REPORT_STATES = ['open', 'dismissed', 'hidden'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

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

@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  async insertReport(
    kind: ReportedKind,
    id: number,
    userId: number,
    reason: string,
  ): Promise<void> {
    await this.database.query(INSERT, [kind, id, userId, reason]);
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

  /** Resolves all open reports of the same content. @returns the resolved reports, oldest first */
  async resolve(
    executor: SqlExecutor,
    { kind, target_id }: ReportRow,
    state: ReportState,
    by: string,
    comment: string,
  ): Promise<ReportRow[]> {
    const values = [kind, target_id, state, by, comment];
    const decided = await executor.query<{ id: number }>(RESOLVE, values);
    return executor.query<ReportRow>(BY_IDS, [decided.map(({ id }) => id)]);
  }
}
