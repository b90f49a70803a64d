import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type ContentKey } from '../review/content.repository';

/** Texts of each kind that are searched, newest first. */
const MAX_TEXTS = 1000;
/** Characters of a text that are searched: all texts have at most 10 million. */
const MAX_CHARACTERS = 2000;

const part = (kind: string, from: string, text: string, time: string, listed: string): string =>
  `(SELECT '${kind}' AS kind, t.id::float8 AS target_id, left(${text}, ${MAX_CHARACTERS}) AS text
    FROM ${from} WHERE t.${time} > now() - interval '30 days' AND ${text} <> '' AND ${listed}
    ORDER BY t.${time} DESC LIMIT ${MAX_TEXTS})`;

const TITLED = `t.title || E'\\n' || t.content`;

// Private texts are their author's alone (D21, D29).
const RECENT = statement(
  'console.recent_texts',
  [
    part('collection', 'collections t', 't.comment', 'updated_at', 'NOT t.private'),
    part('annotation', 'annotations t', 't.content', 'updated_at', 'NOT t.private'),
    part('review', 'reviews t', TITLED, 'updated_at', 'true'),
    part('note', 'notes t', TITLED, 'updated_at', `t.privacy = 'public'`),
    part(
      'note_reply',
      'note_replies t JOIN notes n ON n.id = t.note_id',
      't.content',
      'created_at',
      `n.privacy = 'public'`,
    ),
  ].join(' UNION ALL '),
);

/** The beginning of a text of the last 30 days that is not private. */
export interface RecentText extends ContentKey {
  readonly text: string;
}

/** Reads recent texts, to try words on them. */
@Injectable()
export class RecentTextsRepository {
  constructor(private readonly database: Database) {}

  listRecent(): Promise<RecentText[]> {
    return this.database.query<RecentText>(RECENT);
  }
}
