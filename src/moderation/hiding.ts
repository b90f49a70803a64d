import { statement, type SqlExecutor } from '../database/database';
import { type QueuedType } from './moderation-queue.repository';

/** A hidden text and its author. */
export interface Hidden {
  readonly userId: number | null;
  readonly text: string;
}

/** The table of a kind of texts. */
interface Place {
  readonly table: string;
  /** SQL of the text that others read. */
  readonly text: string;
  /** Additional columns to return for a changed row. */
  readonly more?: readonly string[];
}

/** Locks, hides and shows rows of a table. */
export interface Hiding<More> {
  /** Locks a row until the transaction ends. @returns whether it exists */
  readonly lock: (executor: SqlExecutor, id: number) => Promise<boolean>;
  /** @returns undefined when it is hidden already */
  readonly hide: (executor: SqlExecutor, id: number) => Promise<(Hidden & More) | undefined>;
  /** @returns undefined when it is visible already */
  readonly show: (executor: SqlExecutor, id: number) => Promise<More | undefined>;
}

/**
 * Makes the statements that lock, hide and show texts of a kind. The caller updates dependent
 * counters.
 */
export function hiding<More = unknown>(kind: QueuedType, place: Place): Hiding<More> {
  const { table, text, more = [] } = place;
  const lock = statement(
    `moderation_queue.lock_${kind}`,
    `SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`,
  );
  const hide = statement(
    `moderation_queue.hide_${kind}`,
    `UPDATE ${table} SET hidden = true WHERE id = $1 AND NOT hidden
     RETURNING ${['user_id::float8 AS "userId"', `${text} AS text`, ...more].join(', ')}`,
  );
  const show = statement(
    `moderation_queue.show_${kind}`,
    `UPDATE ${table} SET hidden = false WHERE id = $1 AND hidden RETURNING ${['id', ...more].join(', ')}`,
  );
  return {
    lock: async (executor, id) => (await executor.query(lock, [id])).length > 0,
    hide: async (executor, id) => (await executor.query<Hidden & More>(hide, [id]))[0],
    show: async (executor, id) => (await executor.query<More>(show, [id]))[0],
  };
}
