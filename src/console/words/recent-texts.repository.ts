import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type ContentKey } from '../review/content.repository';
import { SOURCES } from '../review/content-sources';

/** Texts of each kind that are searched, newest first. */
const MAX_TEXTS = 1000;
/** Characters of a text that are searched: all texts have at most 10 million. */
const MAX_CHARACTERS = 2000;

/** The moderated kinds, with the column of their last change. */
const CHANGED = {
  collection: 'updated_at',
  annotation: 'updated_at',
  review: 'updated_at',
  note: 'updated_at',
  note_reply: 'created_at',
} as const;

function recentOf([kind, changed]: [string, string]): string {
  const { from, text, listed } = SOURCES[kind as keyof typeof CHANGED];
  return `(SELECT '${kind}' AS kind, t.id::float8 AS target_id, left(${text}, ${MAX_CHARACTERS}) AS text
    FROM ${from} WHERE t.${changed} > now() - interval '30 days' AND ${text} <> '' AND ${listed ?? 'true'}
    ORDER BY t.${changed} DESC LIMIT ${MAX_TEXTS})`;
}

// Private texts are their author's alone (D21, D29).
const RECENT = statement(
  'console.recent_texts',
  Object.entries(CHANGED).map(recentOf).join(' UNION ALL '),
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
