import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type ContentOf, type ReportedContent } from './reports.pages';

const CONTENTS = statement(
  'console.reported_contents',
  `SELECT r.id::float8 AS id, author.uid AS author,
     author.id::float8 AS author_id,
     coalesce(c.comment, a.content, v.content, n.title || E'\\n' || n.content, p.content,
       mr.title || E'\\n' || mr.summary, mc.content, ph.description,
       e.title || E'\\n' || e.content, u.name, '') AS text
   FROM reports r
   LEFT JOIN users u ON r.kind = 'user' AND u.id = r.target_id
   LEFT JOIN collections c ON r.kind = 'collection' AND c.id = r.target_id
   LEFT JOIN annotations a ON r.kind = 'annotation' AND a.id = r.target_id
   LEFT JOIN reviews v ON r.kind = 'review' AND v.id = r.target_id
   LEFT JOIN notes n ON r.kind = 'note' AND n.id = r.target_id
   LEFT JOIN note_replies p ON r.kind = 'note_reply' AND p.id = r.target_id
   LEFT JOIN movie_reviews mr ON r.kind = 'movie_review' AND mr.id = r.target_id
   LEFT JOIN movie_comments mc ON r.kind = 'movie_comment' AND mc.id = r.target_id
   LEFT JOIN photos ph ON r.kind = 'photo' AND ph.id = r.target_id
   LEFT JOIN events e ON r.kind = 'event' AND e.id = r.target_id
   LEFT JOIN users author ON author.id =
     coalesce(u.id, c.user_id, a.user_id, v.user_id, n.user_id, p.user_id, e.owner_id)
   WHERE r.id = ANY($1::bigint[])`,
);

/** Reads reported content for administrators. */
@Injectable()
export class ReportedContentsRepository {
  constructor(private readonly database: Database) {}

  /** The content of reports, by report. */
  async listContents(ids: readonly number[]): Promise<ContentOf> {
    const rows = await this.database.query<ReportedContent & { id: number }>(CONTENTS, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
