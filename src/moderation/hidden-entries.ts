import { statement, type SqlExecutor } from '../database/database';
import { isLatestSql, isSameContentSql, isUndoableSql } from './decisions.sql';
import { type QueuedType } from './moderation-queue.repository';
import { QUEUE_COLUMNS, type QueueRow } from './queue-entry';

/** Whose text was hidden, and by whom. */
interface HiddenText {
  readonly kind: QueuedType;
  readonly targetId: number;
  /** Name of the moderator. */
  readonly by: string;
}

const ADD_REJECTED = statement(
  'moderation_queue.add_rejected',
  `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_by, decided_at)
   VALUES ($1, $2, $3, '{}', $4, 'rejected', $5, date_trunc('second', now()))
   RETURNING id::float8 AS id`,
);

// The entry of `hide`, locked, unless it was decided again. An entry after a rejection belongs to a
// later version of the text.
const HIDDEN_ENTRY = statement(
  'moderation_queue.hidden_entry',
  `SELECT ${QUEUE_COLUMNS} FROM moderation_queue h JOIN users u ON u.id = h.user_id
   WHERE h.kind = $1 AND h.target_id = $2 AND h.decision = 'rejected' AND ${isUndoableSql('h', '$3')}
     AND h.words = '{}' AND h.decided_at =
       (SELECT date_trunc('second', r.decided_at) FROM reports r WHERE r.id = $4)
     AND (SELECT earlier.decision FROM moderation_queue earlier
       WHERE ${isSameContentSql('earlier', 'h')} AND earlier.id < h.id
         AND earlier.decision IN ('released', 'rejected')
       ORDER BY earlier.id DESC LIMIT 1) IS DISTINCT FROM 'rejected'
     AND ${isLatestSql('h')} FOR UPDATE OF h`,
);

const DELETE_ENTRY = statement(
  'moderation_queue.delete_entry',
  'DELETE FROM moderation_queue WHERE id = $1',
);

/** Adds the entry of a text that a moderator hides. @returns its id */
export async function insertHiddenEntry(
  executor: SqlExecutor,
  { kind, targetId, userId, excerpt, by }: HiddenText & { userId: number; excerpt: string },
): Promise<number> {
  const values = [kind, targetId, userId, excerpt, by];
  const [added] = await executor.query<{ id: number }>(ADD_REJECTED, values);
  return added?.id ?? 0;
}

/**
 * Deletes the entry of a text that a moderator has hidden with a report.
 * @returns it; undefined if it can no longer be undone
 */
export async function deleteHiddenEntry(
  executor: SqlExecutor,
  { kind, targetId, by, reportId }: HiddenText & { reportId: number },
): Promise<QueueRow | undefined> {
  const values = [kind, targetId, by, reportId];
  const [entry] = await executor.query<QueueRow>(HIDDEN_ENTRY, values);
  if (entry) await executor.query(DELETE_ENTRY, [entry.id]);
  return entry;
}
