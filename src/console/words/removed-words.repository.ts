import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database';
import { type BannedWord } from '../../moderation/matcher';

// The address of a page is not trusted: a link could name a word that was never banned. A removal
// of several words, which the API can do, is not offered.
const LAST_REMOVED = statement(
  'console.last_removed_word',
  `SELECT w.word, w.action
   FROM (SELECT before -> 'words' AS words FROM audit_log
     WHERE at > now() - interval '1 minute' AND actor = $1 AND action = 'word.remove'
     ORDER BY id DESC LIMIT 1) l
   CROSS JOIN LATERAL (SELECT min(key) AS word, min(value) AS action
     FROM jsonb_each_text(l.words) HAVING count(*) = 1) w
   WHERE NOT EXISTS (SELECT 1 FROM banned_words b WHERE b.word = w.word)`,
);

/** Reads from the audit log which word an administrator has removed. */
@Injectable()
export class RemovedWordsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The word that an administrator has removed in the last minute.
   * @returns undefined when it is banned again
   */
  async findLastRemoved(by: string): Promise<BannedWord | undefined> {
    return (await this.database.query<BannedWord>(LAST_REMOVED, [by]))[0];
  }
}
