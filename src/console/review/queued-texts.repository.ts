import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type QueueRow } from '../../moderation/moderation-queue.service';

// The complete texts, with the title of what they are about.
const TEXTS = statement(
  'console.queued_texts',
  `SELECT h.id::float8 AS id,
     coalesce(c.comment, a.content, r.content, n.content, p.content, h.excerpt) AS text,
     coalesce(cb.title, ab.title, rb.title, n.title, pn.title, '') AS about,
     (SELECT count(*) FROM moderation_queue e WHERE e.user_id = h.user_id
       AND e.decision = 'released')::int AS released,
     (SELECT count(*) FROM moderation_queue e WHERE e.user_id = h.user_id
       AND e.decision = 'rejected')::int AS rejected
   FROM moderation_queue h
   LEFT JOIN collections c ON h.kind = 'collection' AND c.id = h.target_id
   LEFT JOIN books cb ON cb.id = c.book_id
   LEFT JOIN annotations a ON h.kind = 'annotation' AND a.id = h.target_id
   LEFT JOIN books ab ON ab.id = a.book_id
   LEFT JOIN reviews r ON h.kind = 'review' AND r.id = h.target_id
   LEFT JOIN books rb ON rb.id = r.book_id
   LEFT JOIN notes n ON h.kind = 'note' AND n.id = h.target_id
   LEFT JOIN note_replies p ON h.kind = 'note_reply' AND p.id = h.target_id
   LEFT JOIN notes pn ON pn.id = p.note_id
   WHERE h.id = ANY($1::bigint[])`,
);

const OF_USER = statement(
  'console.queue_of_user',
  `SELECT h.id::float8 AS id, h.kind, h.excerpt, coalesce(h.decision, 'open') AS state,
     to_char(h.created_at, 'YYYY-MM-DD HH24:MI') AS created
   FROM moderation_queue h WHERE h.user_id = $1 ORDER BY h.id DESC LIMIT 20`,
);

/** The complete text of an entry, and what its author wrote before. */
export interface QueuedText {
  readonly id: number;
  readonly text: string;
  /** Title of the book or note. */
  readonly about: string;
  /** Earlier decisions about texts of the author. */
  readonly released: number;
  readonly rejected: number;
}

/** A text of a user that was in the queue. */
export type QueuedByUser = Pick<QueueRow, 'id' | 'kind' | 'excerpt' | 'state' | 'created'>;

/** Reads texts for moderators. */
@Injectable()
export class QueuedTextsRepository {
  constructor(private readonly database: Database) {}

  /** The texts of entries, by entry. */
  async listTexts(ids: readonly number[]): Promise<ReadonlyMap<number, QueuedText>> {
    const rows = await this.database.query<QueuedText>(TEXTS, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The last texts of a user that were in the queue, newest first. */
  listOfUser(userId: number): Promise<QueuedByUser[]> {
    return this.database.query<QueuedByUser>(OF_USER, [userId]);
  }
}
