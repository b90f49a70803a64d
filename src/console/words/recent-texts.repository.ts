import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';

/** Texts of each kind that are searched at most, newest first. */
const MAX_TEXTS = 2000;

const part = (kind: string, table: string, text: string, time: string): string =>
  `(SELECT '${kind}' AS kind, id::float8 AS id, ${text} AS text FROM ${table}
    WHERE ${time} > now() - interval '30 days' AND ${text} <> ''
    ORDER BY ${time} DESC LIMIT ${MAX_TEXTS})`;

const RECENT = statement(
  'console.recent_texts',
  [
    part('collection', 'collections', 'comment', 'updated_at'),
    part('annotation', 'annotations', 'content', 'updated_at'),
    part('review', 'reviews', `title || E'\\n' || content`, 'updated_at'),
    part('note', 'notes', `title || E'\\n' || content`, 'updated_at'),
    part('note_reply', 'note_replies', 'content', 'created_at'),
  ].join(' UNION ALL '),
);

/** A text of the last 30 days. */
export interface RecentText {
  readonly kind: string;
  readonly id: number;
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
