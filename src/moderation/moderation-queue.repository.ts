import { type ModerationFlag } from '../api/writes/moderation';
import { firstOf } from '../api/input/text-input';
import { statement, type SqlExecutor } from '../database/database';
import { isLatestSql } from './decisions.sql';

/** Kinds of texts that can be in the moderation queue. */
export const QUEUED_TYPES = ['collection', 'annotation', 'review', 'note', 'note_reply'] as const;
export type QueuedType = (typeof QUEUED_TYPES)[number];

/** Maximum length of a text that moderators see, in characters. */
export const EXCERPT = 500;

// An import may have stored an open entry of the text meanwhile.
const ADD = statement(
  'moderation_queue.add',
  `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (kind, target_id) WHERE decision IS NULL
   DO UPDATE SET user_id = EXCLUDED.user_id, words = EXCLUDED.words, excerpt = EXCLUDED.excerpt`,
);

const WITHDRAW = statement(
  'moderation_queue.withdraw',
  `UPDATE moderation_queue SET decision = 'withdrawn', decided_at = date_trunc('second', now())
   WHERE kind = $1 AND target_id = $2 AND decision IS NULL`,
);

// The text was visible, so this imported entry did not hide it.
const DELETE_OPEN = statement(
  'moderation_queue.delete_open',
  'DELETE FROM moderation_queue WHERE kind = $1 AND target_id = $2 AND decision IS NULL',
);

/** The decisions about earlier versions of a text. */
interface DecisionHistory {
  readonly decision: 'released' | 'rejected' | null;
  readonly words: string[] | null;
  /** Whether an import has hidden it since: such entries have no words. */
  readonly isHiddenByImport: boolean;
}

// Withdrawn versions have no decision: the last decision of a moderator applies to later versions.
// Imported decisions may be older than those with lower ids.
const DECISION_HISTORY = statement(
  'moderation_queue.decision_history',
  `SELECT last.decision, last.words, EXISTS (
     SELECT FROM moderation_queue h
     WHERE h.kind = $1 AND h.target_id = $2 AND h.user_id = $3 AND h.words = '{}'
       AND (h.decision IS NULL OR h.decision = 'withdrawn'
         AND (last.id IS NULL OR (h.decided_at, h.id) > (last.decided_at, last.id)))
   ) AS "isHiddenByImport"
   FROM (SELECT) one LEFT JOIN LATERAL (
     SELECT id, decision, words, decided_at FROM moderation_queue
     WHERE kind = $1 AND target_id = $2 AND user_id = $3
       AND decision IN ('released', 'rejected')
     ORDER BY decided_at DESC, id DESC LIMIT 1) last ON true`,
);

/** SQL of the last decision of a moderator about a text of the record set `r`. */
const LAST_DECISION_OF_RECORD = `(SELECT h.decision FROM moderation_queue h
  WHERE h.kind = $1 AND h.target_id = r.id AND h.user_id = r.user_id
    AND h.decision IN ('released', 'rejected')
  ORDER BY h.decided_at DESC, h.id DESC LIMIT 1)`;

const ENQUEUE_IMPORTED = statement(
  'moderation_queue.enqueue_imported',
  `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
   SELECT $1, r.id, r.user_id, '{}', r.excerpt
   FROM json_to_recordset($2::json) AS r(id bigint, user_id bigint, excerpt text)
   WHERE NOT EXISTS (SELECT 1 FROM moderation_queue h
       WHERE h.kind = $1 AND h.target_id = r.id AND h.decision IS NULL)
     AND NOT EXISTS (SELECT 1 FROM moderation_queue h
       WHERE h.kind = $1 AND h.target_id = r.id AND h.user_id = r.user_id
         AND h.decision = 'rejected' AND ${isLatestSql('h')})`,
);

const REJECTED = statement(
  'moderation_queue.rejected',
  `SELECT r.id::float8 AS id FROM json_to_recordset($2::json) AS r(id bigint, user_id bigint)
   WHERE ${LAST_DECISION_OF_RECORD} = 'rejected'`,
);

/** An imported text. Only hidden ones with a known author can be in the queue. */
export interface ImportedText {
  readonly id: number;
  readonly user_id: number | null;
  readonly hidden: boolean;
}

/**
 * Hides imported texts that a moderator rejected last: their authors may have deleted them since.
 * @param records a new collection has no id
 * @returns the records in the same order
 */
export async function hideRejected<T extends Omit<ImportedText, 'id'> & { readonly id?: number }>(
  executor: SqlExecutor,
  kind: QueuedType,
  records: readonly T[],
): Promise<readonly T[]> {
  const visible = records.filter(({ user_id, hidden }) => !hidden && user_id !== null);
  if (visible.length === 0) return records;
  const keys = JSON.stringify(visible.map(({ id, user_id }) => ({ id, user_id })));
  const rows = await executor.query<{ id: number }>(REJECTED, [kind, keys]);
  if (rows.length === 0) return records;
  const rejected = new Set(rows.map(({ id }) => id));
  return records.map((record) =>
    rejected.has(record.id ?? 0) ? { ...record, hidden: true } : record,
  );
}

/**
 * Adds hidden imported texts to the queue, except those that are in it and those whose
 * rejection a moderator can still change.
 * @param records distinct texts
 * @param textOf the text that moderators see
 */
export async function enqueueImported<T extends ImportedText>(
  executor: SqlExecutor,
  kind: QueuedType,
  records: readonly T[],
  textOf: (record: T) => string,
): Promise<void> {
  const rows = records
    .filter(({ user_id, hidden }) => hidden && user_id !== null)
    .map((one) => ({ id: one.id, user_id: one.user_id, excerpt: firstOf(textOf(one), EXCERPT) }));
  if (rows.length === 0) return;
  await executor.query(ENQUEUE_IMPORTED, [kind, JSON.stringify(rows)]);
}

/** A text that a user writes. */
export interface ModeratedContent {
  readonly kind: QueuedType;
  readonly id: number;
  readonly userId: number;
  readonly moderationFlag: ModerationFlag | undefined;
  /** The complete text for moderators. */
  readonly text: string;
}

async function add(
  executor: SqlExecutor,
  { kind, id, userId }: ModeratedContent,
  words: readonly string[],
  text: string,
): Promise<void> {
  await executor.query(ADD, [kind, id, userId, words, firstOf(text, EXCERPT)]);
}

const flaggedText = ({ texts }: ModerationFlag): string =>
  texts.map(({ name, text }) => `${name}: ${text}`).join('\n');

/** Adds a new text to the queue if it is flagged; the caller hides its row as well. */
export async function enqueueForReview(
  executor: SqlExecutor,
  writing: ModeratedContent,
): Promise<void> {
  const { moderationFlag } = writing;
  if (moderationFlag)
    await add(executor, writing, moderationFlag.words, flaggedText(moderationFlag));
}

/**
 * Decides whether a changed text is hidden, while its row is locked: each version is reviewed
 * again. A rejected text always returns to the queue. One that an import has hidden stays hidden until
 * a moderator decides.
 * @param wasHidden whether its row was hidden
 * @returns whether to hide its row
 */
export async function reviewEdit(
  executor: SqlExecutor,
  writing: ModeratedContent,
  wasHidden: boolean,
): Promise<boolean> {
  const { kind, id, userId, moderationFlag } = writing;
  if (!wasHidden) {
    if (!moderationFlag) return false;
    // An import can have stored an open entry of a visible text.
    await executor.query(DELETE_OPEN, [kind, id]);
    await enqueueForReview(executor, writing);
    return true;
  }
  const [history] = await executor.query<DecisionHistory>(DECISION_HISTORY, [kind, id, userId]);
  await executor.query(WITHDRAW, [kind, id]);
  if (moderationFlag) await enqueueForReview(executor, writing);
  else if (history?.decision === 'rejected')
    await add(executor, writing, history.words ?? [], writing.text);
  // No word is the reason, so removing words does not release it.
  else if (history?.isHiddenByImport === true) await add(executor, writing, [], writing.text);
  else return false;
  return true;
}
