import { type QueuedType } from './moderation-queue.repository';
import { decisionColumns } from './decisions.sql';

/** Columns of a queue entry `h` and its author `u`. */
export const QUEUE_COLUMNS = `h.id::float8 AS id, h.kind, h.target_id::float8 AS target_id,
  h.user_id::float8 AS user_id, u.uid, array_to_json(h.words) AS words, h.excerpt,
  ${decisionColumns('h')}`;

/**
 * States of an entry: open; released, visible to others; rejected, visible to its author only;
 * withdrawn, because the text changed.
 */
export const QUEUE_STATES = ['open', 'released', 'rejected', 'withdrawn'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

/** An entry of the moderation queue. */
export interface QueueRow {
  readonly id: number;
  readonly kind: QueuedType;
  /** Id of the row of that kind. */
  readonly target_id: number;
  readonly user_id: number;
  readonly uid: string;
  readonly words: readonly string[];
  readonly excerpt: string;
  readonly created: string;
  readonly state: QueueState;
  readonly decided: string | null;
  readonly decided_by: string | null;
}

/** Names the current decision about an entry: `released 2026-01-31 09:00:00`. */
export const decisionName = ({ state, decided }: Pick<QueueRow, 'state' | 'decided'>): string =>
  `${state} ${decided ?? ''}`;
