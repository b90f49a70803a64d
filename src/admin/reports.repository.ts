import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor, type Statement } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { celebrityShown, subjectShown } from '../movies/movies.sql';
import { REPORTED_KINDS, type ReportedKind } from '../moderation/reported-kinds';

/** Condition for rows that other users can see, so that a report does not reveal hidden rows. */
const TARGETS: Readonly<Record<ReportedKind, string>> = {
  user: 'users t WHERE t.blocked_at IS NULL',
  collection: 'collections t WHERE NOT t.private AND NOT t.hidden',
  annotation: 'annotations t WHERE NOT t.private AND NOT t.hidden',
  review: 'reviews t WHERE NOT t.hidden',
  note: "notes t WHERE t.privacy = 'public' AND NOT t.hidden",
  note_reply: `note_replies t JOIN notes n ON n.id = t.note_id WHERE n.privacy = 'public'
    AND NOT n.hidden AND NOT t.hidden`,
  movie_review: `movie_reviews t JOIN subjects s ON s.id = t.subject_id
    WHERE NOT t.placeholder AND ${subjectShown()}`,
  movie_comment: `movie_comments t JOIN subjects s ON s.id = t.subject_id
    WHERE ${subjectShown()}`,
  photo: `photos t LEFT JOIN subjects s ON s.id = t.subject_id
    LEFT JOIN celebrities c ON c.id = t.celebrity_id
    WHERE (${subjectShown()} OR ${celebrityShown()})`,
  event: 'events t WHERE NOT t.private AND t.deleted_at IS NULL',
};

const FIND = Object.fromEntries(
  REPORTED_KINDS.map((kind) => [
    kind,
    statement(`reports.find_${kind}`, `SELECT 1 FROM ${TARGETS[kind]} AND t.id = $1`),
  ]),
) as Record<ReportedKind, Statement>;

// A repeated report replaces the reason while it is open.
const ADD = statement(
  'reports.add',
  `INSERT INTO reports (kind, target_id, user_id, reason) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id, kind, target_id) WHERE decision IS NULL
   DO UPDATE SET reason = EXCLUDED.reason`,
);

const COLUMNS = `r.id::float8 AS id, r.kind, r.target_id::float8 AS target_id, u.uid AS reporter,
  r.reason, ${wireTime('r.created_at')} AS created, coalesce(r.decision, 'open') AS state,
  ${wireTime('r.decided_at')} AS decided, r.decided_by, r.comment`;

const LIST = new FilteredList<'open' | 'state' | 'kind', ReportRow>({
  name: 'reports.list',
  from: 'reports h',
  filters: {
    open: { sql: () => 'h.decision IS NULL', flag: true },
    state: byValue('decision'),
    kind: byValue('kind'),
  },
  columns: COLUMNS,
  joins: 'LEFT JOIN reports r ON r.id = p.id LEFT JOIN users u ON u.id = r.user_id',
});

const wantedOf = (state: ReportState, kind: ReportedKind | undefined) => ({
  ...{ open: state === 'open', state: state === 'open' ? undefined : state, kind },
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

  /** Whether other users can see the content. */
  async isThere(kind: ReportedKind, id: number): Promise<boolean> {
    return (await this.database.query(FIND[kind], [id])).length > 0;
  }

  async add(kind: ReportedKind, id: number, userId: number, reason: string): Promise<void> {
    await this.database.query(ADD, [kind, id, userId, reason]);
  }

  /** Reports in a state, oldest first. */
  list(
    state: ReportState,
    kind: ReportedKind | undefined,
    page: PageQuery,
  ): Promise<Page<ReportRow>> {
    return LIST.page(this.database, wantedOf(state, kind), page);
  }

  /** All matching reports. */
  scan(state: ReportState, kind: ReportedKind | undefined): AsyncGenerator<ReportRow> {
    return LIST.scan(this.database, wantedOf(state, kind));
  }

  async byId(id: number, executor: SqlExecutor = this.database): Promise<ReportRow | undefined> {
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
