import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '../../database/database';
import { decisionColumns, isReportedAgainSql, isUndoableSql } from '../../moderation/decisions.sql';
import { decisionName, type QueueRow } from '../../moderation/queue-entry';

/** SQL: what the actor `$1` has decided in the last minute, from the audit log. */
const decidedBy = (kind: string, actions: readonly string[]): string =>
  `SELECT target_id::bigint AS id, max(id) AS entry FROM audit_log
   WHERE at > now() - interval '1 minute' AND actor = $1 AND target_kind = '${kind}'
     AND action IN (${actions.map((action) => `'${kind}.${action}'`).join(', ')}) GROUP BY 1`;

const OF_QUEUE = statement(
  'console.undoable_texts',
  `SELECT h.id::float8 AS id, ${decisionColumns('h')} FROM (${decidedBy('moderation', ['release', 'reject'])}) d
   JOIN moderation_queue h ON h.id = d.id
   WHERE h.decision IS NOT NULL AND ${isUndoableSql('h', '$1')} ORDER BY d.entry DESC`,
);

// One decision resolves all open reports of a content. A dismissal whose reporters have all
// reported the content again has nothing to undo.
const OF_REPORTS = statement(
  'console.undoable_reports',
  `SELECT min(r.id)::float8 AS id FROM (${decidedBy('report', ['dismiss', 'hide'])}) d
   JOIN reports r ON r.id = d.id
   WHERE r.decision IS NOT NULL AND ${isUndoableSql('r', '$1')}
     AND (r.decision = 'hidden' OR NOT ${isReportedAgainSql('r')})
   GROUP BY r.kind, r.target_id, r.decision, r.decided_at ORDER BY max(d.entry) DESC`,
);

/** A decision that a moderator can undo. */
export interface UndoableDecision {
  /** Id of the entry, or of the first report that the decision resolved. */
  readonly id: number;
  /** Name of the decision of an entry: its form undoes no other decision about the entry. */
  readonly name?: string;
}

/** Reads which decisions a moderator can undo. */
@Injectable()
export class UndoableDecisionsRepository {
  constructor(private readonly database: Database) {}

  /** Decisions about texts, last decision first. */
  async listQueueDecisions(by: string): Promise<UndoableDecision[]> {
    const rows = await this.list<Pick<QueueRow, 'id' | 'state' | 'decided'>>(OF_QUEUE, by);
    return rows.map((row) => ({ id: row.id, name: decisionName(row) }));
  }

  /** Decisions about reported content, last decision first. */
  listReportDecisions(by: string): Promise<UndoableDecision[]> {
    return this.list(OF_REPORTS, by);
  }

  private list<Row extends UndoableDecision>(rows: Statement, by: string): Promise<Row[]> {
    return this.database.query<Row>(rows, [by]);
  }
}
