import { statement, type SqlExecutor } from '../database/database';
import { type QueueRow } from './queue-entry';

/** A decision about an entry of the moderation queue, or that it was open. */
export type EntryDecision = Pick<QueueRow, 'state' | 'decided' | 'decided_by'>;

const OPEN: EntryDecision = { state: 'open', decided: null, decided_by: null };

// An entry has only its last decision. The audit log, written in the transaction of a decision, has
// the entry before it. `depth` counts from the last change: the current decision is the last one
// that was not undone. Its state is compared, because the audit log lacks imported decisions.
const BEFORE = statement(
  'moderation_queue.earlier_decision',
  `SELECT l.before FROM (
     SELECT id, action, before, after,
       sum(CASE action WHEN 'moderation.reopen' THEN -1 ELSE 1 END) OVER (ORDER BY id DESC) AS depth
     FROM audit_log WHERE target_kind = 'moderation' AND target_id = $1
       AND action IN ('moderation.release', 'moderation.reject', 'moderation.reopen')) l
   WHERE l.depth = 1 AND l.action <> 'moderation.reopen' AND l.after @> $2::jsonb
   ORDER BY l.id DESC LIMIT 1`,
);

/**
 * The decision that an entry had before its current one.
 * @returns open for an entry that had no decision, or whose current one is not in the audit log,
 * such as that of a hidden text or an imported one
 */
export async function findEarlierDecision(
  executor: SqlExecutor,
  { id, state, decided, decided_by }: QueueRow,
): Promise<EntryDecision> {
  const current: EntryDecision = { state, decided, decided_by };
  const values = [String(id), JSON.stringify(current)];
  const [found] = await executor.query<{ before: EntryDecision | null }>(BEFORE, values);
  return found?.before ?? OPEN;
}
