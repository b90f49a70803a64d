import { Injectable } from '@nestjs/common';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { eventVisibleSql } from './events.sql';
import { type ParticipationKind } from './events.rows';

// Every change of an event's participations locks the event first, so that counters are updated in
// sequence and deadlocks are impossible.
const LOCK = statement(
  'participations.lock_event',
  `SELECT 1 FROM events e WHERE e.id = $1 AND ${eventVisibleSql('$2')} FOR NO KEY UPDATE OF e`,
);

const JOIN = statement(
  'participations.join',
  `INSERT INTO participations (event_id, user_id, kind, participate_on) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id, kind, event_id) DO UPDATE SET participate_on = EXCLUDED.participate_on
   RETURNING xmax = 0 AS fresh`,
);

const LEAVE = statement(
  'participations.leave',
  'DELETE FROM participations WHERE event_id = $1 AND user_id = $2 AND kind = $3 RETURNING 1',
);

const COUNT = {
  participate: statement(
    'participations.count_participants',
    'UPDATE events SET participants = participants + $2 WHERE id = $1',
  ),
  wish: statement(
    'participations.count_wishers',
    'UPDATE events SET wishers = wishers + $2 WHERE id = $1',
  ),
} as const;

/** Joins and leaves events and updates the event's counters in one transaction. */
/** A user's participation or interest in an event. */
export interface NewParticipation {
  readonly kind: ParticipationKind;
  /** Planned day, `yyyy-MM-dd`. */
  readonly day?: string | undefined;
}

@Injectable()
export class ParticipationsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Joins an event; a user who has joined already gets the new day.
   * @returns false when the event is not found or not visible
   */
  join(
    eventId: number,
    userId: number,
    { kind, day }: NewParticipation,
    hooks?: TransactionHooks,
  ): Promise<boolean> {
    const change = async (executor: SqlExecutor): Promise<void> => {
      const [row] = await executor.query<{ fresh: boolean }>(JOIN, [
        eventId,
        userId,
        kind,
        day ?? null,
      ]);
      if (row?.fresh === true) await executor.query(COUNT[kind], [eventId, 1]);
    };
    return this.changing(eventId, userId, change, hooks);
  }

  /** Leaves an event; idempotent. @returns like {@link join} */
  leave(eventId: number, userId: number, kind: ParticipationKind): Promise<boolean> {
    return this.changing(eventId, userId, async (executor) => {
      const gone = await executor.query(LEAVE, [eventId, userId, kind]);
      if (gone.length > 0) await executor.query(COUNT[kind], [eventId, -1]);
    });
  }

  private changing(
    eventId: number,
    userId: number,
    change: (executor: SqlExecutor) => Promise<void>,
    hooks?: TransactionHooks,
  ): Promise<boolean> {
    return this.database.transaction(async (executor) => {
      if ((await executor.query(LOCK, [eventId, userId])).length === 0) return false;
      await change(executor);
      return true;
    }, hooks);
  }
}
