import { Injectable } from '@nestjs/common';
import { Database, statement, type Statement } from '../../database/database';
import { isReportedAgainSql, isUndoableSql } from '../../moderation/decisions.sql';

/** SQL: what the actor `$1` has decided in the last minute, from the audit log. */
const decidedBy = (kind: string, actions: readonly string[]): string =>
  `SELECT target_id::bigint AS id, max(id) AS entry FROM audit_log
   WHERE at > now() - interval '1 minute' AND actor = $1 AND target_kind = '${kind}'
     AND action IN (${actions.map((action) => `'${kind}.${action}'`).join(', ')}) GROUP BY 1`;

const OF_QUEUE = statement(
  'console.undoable_texts',
  `SELECT h.id::float8 AS id FROM (${decidedBy('moderation', ['release', 'reject'])}) d
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

/** Reads which decisions a moderator can undo. */
@Injectable()
export class UndoableDecisionsRepository {
  constructor(private readonly database: Database) {}

  /** Ids of texts whose last decision the moderator can undo, last decision first. */
  listQueueIds(by: string): Promise<number[]> {
    return this.list(OF_QUEUE, by);
  }

  /** The same for reported content, by the id of its first report. */
  listReportIds(by: string): Promise<number[]> {
    return this.list(OF_REPORTS, by);
  }

  private async list(ids: Statement, by: string): Promise<number[]> {
    return (await this.database.query<{ id: number }>(ids, [by])).map(({ id }) => id);
  }
}
