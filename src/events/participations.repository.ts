import { Injectable } from '@nestjs/common';
import { Database, statement, type Runner } from '../database/database';
import { eventVisibleSql } from './events.sql';
import { type ParticipationKind } from './events.rows';

// Whoever changes an event's participations holds the event: its counts are changed one after the
// other, and always in this order of locks.
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

/** Users joining and leaving events, each with the event's count, all or nothing. */
@Injectable()
export class ParticipationsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Joins a user to an event; a user who is joined already gets the new day.
   *
   * @param day `yyyy-MM-dd` on which the user will come; null when that is open
   * @returns false when the user may not see the event, or there is none
   */
  join(
    eventId: number,
    userId: number,
    kind: ParticipationKind,
    day: string | null,
  ): Promise<boolean> {
    return this.changing(eventId, userId, async (runner) => {
      const [row] = await runner.query<{ fresh: boolean }>(JOIN, [eventId, userId, kind, day]);
      if (row?.fresh === true) await runner.query(COUNT[kind], [eventId, 1]);
    });
  }

  /** Lets a user, joined or not, be joined no longer. @returns as {@link join} */
  leave(eventId: number, userId: number, kind: ParticipationKind): Promise<boolean> {
    return this.changing(eventId, userId, async (runner) => {
      const gone = await runner.query(LEAVE, [eventId, userId, kind]);
      if (gone.length > 0) await runner.query(COUNT[kind], [eventId, -1]);
    });
  }

  private changing(
    eventId: number,
    userId: number,
    change: (runner: Runner) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (runner) => {
      if ((await runner.query(LOCK, [eventId, userId])).length === 0) return false;
      await change(runner);
      return true;
    });
  }
}
