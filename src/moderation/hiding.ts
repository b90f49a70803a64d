import { statement, type Runner } from '../database/database';
import { type QueuedType } from './moderation-queue.repository';

/** A text that others no longer see, and whose it is. */
export interface Hidden {
  readonly userId: number | null;
  readonly text: string;
}

/** Where texts of a kind are. */
interface Place {
  readonly table: string;
  /** SQL of what others read of it. */
  readonly text: string;
  /** Columns that say more of a row that was hidden or shown. */
  readonly more?: readonly string[];
}

/** Hides rows of a table from others, and shows them; undefined when they are so already. */
export interface Hiding<More> {
  readonly hide: (runner: Runner, id: number) => Promise<(Hidden & More) | undefined>;
  readonly show: (runner: Runner, id: number) => Promise<More | undefined>;
}

/** How texts of a kind are hidden and shown, but for what follows from it elsewhere. */
export function hiding<More = unknown>(kind: QueuedType, place: Place): Hiding<More> {
  const { table, text, more = [] } = place;
  const hide = statement(
    `held.hide_${kind}`,
    `UPDATE ${table} SET held = true WHERE id = $1 AND NOT held
     RETURNING ${['user_id::float8 AS "userId"', `${text} AS text`, ...more].join(', ')}`,
  );
  const show = statement(
    `held.show_${kind}`,
    `UPDATE ${table} SET held = false WHERE id = $1 AND held RETURNING ${['id', ...more].join(', ')}`,
  );
  return {
    hide: async (runner, id) => (await runner.query<Hidden & More>(hide, [id]))[0],
    show: async (runner, id) => (await runner.query<More>(show, [id]))[0],
  };
}
