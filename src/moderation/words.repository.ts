import { Injectable } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import { Database, statement, type SqlExecutor, type TransactionHooks } from '../database/database';
import { byValue, FilteredList } from '../database/filtered-list';
import { wireTime } from '../database/wire-time';
import { type Action, type BannedWord } from './matcher';

/** A banned word as administrators see it. */
export interface WordRow extends BannedWord {
  readonly id: number;
  readonly created: string;
  readonly created_by: string;
}

const ALL = statement('words.all', 'SELECT word, action FROM banned_words ORDER BY id');

const LIST = new FilteredList<'action', WordRow>({
  name: 'words.list',
  from: 'banned_words h',
  filters: { action: byValue('action') },
  columns: `w.id::float8 AS id, w.word, w.action, ${wireTime('w.created_at')} AS created, w.created_by`,
  joins: 'LEFT JOIN banned_words w ON w.id = p.id',
});

// Adding an existing word changes its action. xmax is 0 in inserted rows.
const ADD = statement(
  'words.add',
  `INSERT INTO banned_words (word, folded, action, created_by)
   SELECT w.word, w.folded, $3, $4 FROM unnest($1::text[], $2::text[]) AS w(word, folded)
   ORDER BY w.folded
   ON CONFLICT (folded) DO UPDATE SET action = EXCLUDED.action
   WHERE banned_words.action <> EXCLUDED.action
   RETURNING xmax = 0 AS fresh`,
);

const BY_ID = statement('words.by_id', 'SELECT word FROM banned_words WHERE id = $1');

const LOCK = statement(
  'words.lock',
  'SELECT 1 FROM banned_words WHERE id = $1 AND word = $2 FOR UPDATE',
);

const ACTIONS = statement(
  'words.actions',
  `SELECT json_object_agg(word, action ORDER BY id) AS words FROM banned_words
   WHERE folded = ANY($1::text[]) HAVING count(*) > 0`,
);

const REMOVE = statement(
  'words.remove',
  'DELETE FROM banned_words WHERE folded = ANY($1::text[]) RETURNING 1',
);

/** A word with its normalized form. */
export interface FoldedWord {
  readonly word: string;
  readonly folded: string;
}

@Injectable()
export class WordsRepository {
  constructor(private readonly database: Database) {}

  all(): Promise<BannedWord[]> {
    return this.database.query<BannedWord>(ALL);
  }

  list(page: PageQuery, action: Action | undefined): Promise<Page<WordRow>> {
    return LIST.page(this.database, { action }, page);
  }

  /** All matching words, ordered by id. */
  scan(action: Action | undefined): AsyncGenerator<WordRow> {
    return LIST.scan(this.database, { action });
  }

  async findWord(id: number): Promise<string | undefined> {
    return (await this.database.query<{ word: string }>(BY_ID, [id]))[0]?.word;
  }

  /** Locks a word until the end of a transaction. @returns false when it does not exist */
  async lockWord(executor: SqlExecutor, id: number, word: string): Promise<boolean> {
    return (await executor.query(LOCK, [id, word])).length > 0;
  }

  /** The actions of words by spelling; undefined when none exists. */
  async findActions(
    executor: SqlExecutor,
    folded: readonly string[],
  ): Promise<{ readonly words: Readonly<Record<string, Action>> } | undefined> {
    return (await executor.query<{ words: Record<string, Action> }>(ACTIONS, [folded]))[0];
  }

  /** Adds distinct words. @returns the number of new words and of changed actions */
  async insertWords(
    words: readonly FoldedWord[],
    action: Action,
    by: string,
    hooks?: TransactionHooks,
  ): Promise<{ added: number; changed: number }> {
    const values = [words.map(({ word }) => word), words.map(({ folded }) => folded), action, by];
    const rows = await this.database.transaction(
      (runner) => runner.query<{ fresh: boolean }>(ADD, values),
      hooks,
    );
    const added = rows.filter(({ fresh }) => fresh).length;
    return { added, changed: rows.length - added };
  }

  async deleteWords(folded: readonly string[], hooks?: TransactionHooks): Promise<number> {
    const removed = await this.database.transaction(
      (runner) => runner.query(REMOVE, [folded]),
      hooks,
    );
    return removed.length;
  }
}
