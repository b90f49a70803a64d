import { OperationError } from '../../api/errors/error-codes';
import { statement, type SqlExecutor } from '../../database/database';
import { foldedWord } from '../../moderation/words.service';
import { StoredHandler } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { reserveIds } from '../engine/sequences';
import { requiredTime } from './required-time';

/** A banned word. */
export interface BannedWordRecord {
  /**
   * Defines the order of lists. An existing word keeps its id, and an id in use is not assigned.
   */
  readonly id: number;
  readonly word: string;
  /** The normalized word: spellings with the same normalized form are the same word. */
  readonly folded: string;
  /** `refuse` or `hold`. */
  readonly action: string;
  readonly created: string;
  readonly created_by: string;
}

const COLUMNS = `t.id::float8 AS id, t.word, t.folded, t.action, to_json(t.created_at) AS created,
  t.created_by`;
const LOAD = statement(
  'import_export.banned_words',
  `SELECT ${COLUMNS} FROM banned_words t WHERE t.folded = ANY($1::text[])`,
);
const AFTER = statement(
  'import_export.banned_words_after',
  `SELECT ${COLUMNS} FROM banned_words t WHERE t.id > $1 ORDER BY t.id LIMIT $2`,
);
const WRITE = statement(
  'import_export.write_banned_words',
  `INSERT INTO banned_words (id, word, folded, action, created_at, created_by)
   SELECT CASE WHEN EXISTS (SELECT 1 FROM banned_words t WHERE t.id = r.id)
       THEN nextval('banned_words_id_seq') ELSE r.id END,
     r.word, r.folded, r.action, r.created, r.created_by
   FROM json_to_recordset($1::json) AS r(id bigint, word text, folded text, action text,
     created timestamptz, created_by text)
   ORDER BY r.folded
   ON CONFLICT (folded) DO UPDATE SET word = EXCLUDED.word, action = EXCLUDED.action,
     created_at = EXCLUDED.created_at, created_by = EXCLUDED.created_by`,
);

/**
 * Imports and exports banned words, identified by their normalized form. Only part of full exports.
 */
export class BannedWordHandler extends StoredHandler<BannedWordRecord> {
  readonly name = 'banned-word';
  readonly member = 'banned_words';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  protected override readonly unchanging = ['id'] as const;

  parse(value: unknown): BannedWordRecord {
    const reader = new RecordReader(value);
    return {
      ...searchable(reader.requiredText('word')),
      id: reader.requiredId('id'),
      action: reader.requiredText('action'),
      created: requiredTime(reader, 'created'),
      created_by: reader.text('created_by'),
    };
  }

  override key({ folded }: BannedWordRecord): string {
    return folded;
  }

  protected override loadValues(records: readonly BannedWordRecord[]): readonly unknown[] {
    return [records.map(({ folded }) => folded)];
  }

  async write(executor: SqlExecutor, records: readonly BannedWordRecord[]): Promise<void> {
    await reserveIds(
      executor,
      'banned_words',
      records.map(({ id }) => id),
    );
    await executor.query(WRITE, [JSON.stringify(records)]);
  }

  toJson({ id, word, action, created, created_by }: BannedWordRecord): Record<string, unknown> {
    return { id: String(id), word, action, created, created_by };
  }
}

/** @throws RecordError for a word that cannot be matched */
function searchable(word: string): Pick<BannedWordRecord, 'word' | 'folded'> {
  try {
    return foldedWord(word);
  } catch (error) {
    throw error instanceof OperationError ? new RecordError(error.message) : error;
  }
}
