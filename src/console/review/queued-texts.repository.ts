import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type QueueRow } from '../../moderation/queue-entry';

const EARLIER = statement(
  'console.earlier_decisions',
  `SELECT user_id::float8 AS user_id,
     count(*) FILTER (WHERE decision = 'released')::int AS released,
     count(*) FILTER (WHERE decision = 'rejected')::int AS rejected
   FROM moderation_queue WHERE user_id = ANY($1::bigint[]) GROUP BY 1`,
);

const OF_USER = statement(
  'console.queue_of_user',
  `SELECT h.id::float8 AS id, h.kind, h.target_id::float8 AS target_id, h.excerpt,
     coalesce(h.decision, 'open') AS state,
     to_char(h.created_at, 'YYYY-MM-DD HH24:MI') AS created
   FROM moderation_queue h WHERE h.user_id = $1 ORDER BY h.id DESC LIMIT 20`,
);

/** Earlier decisions about texts of an author. */
export interface EarlierDecisions {
  readonly released: number;
  readonly rejected: number;
}

/** A text of a user that was in the queue. */
export type QueuedByUser = Pick<
  QueueRow,
  'id' | 'kind' | 'target_id' | 'excerpt' | 'state' | 'created'
>;

/** Reads what moderators decided before. */
@Injectable()
export class QueuedTextsRepository {
  constructor(private readonly database: Database) {}

  /** Decisions about texts of authors, by id of the author. */
  async countEarlier(authors: readonly number[]): Promise<ReadonlyMap<number, EarlierDecisions>> {
    const values = [[...new Set(authors)]];
    const rows = await this.database.query<EarlierDecisions & { user_id: number }>(EARLIER, values);
    return new Map(rows.map((row) => [row.user_id, row]));
  }

  /** The last texts of a user that were in the queue, newest first. */
  listOfUser(userId: number): Promise<QueuedByUser[]> {
    return this.database.query<QueuedByUser>(OF_USER, [userId]);
  }
}
