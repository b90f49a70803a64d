import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { reserveIds } from '../engine/sequences';

const WRITE_PLACEHOLDERS = statement(
  'import_export.write_placeholder_notes',
  `INSERT INTO notes (id, privacy, placeholder)
   SELECT DISTINCT i.id, 'private', true FROM unnest($1::bigint[]) AS i(id) ORDER BY i.id
   ON CONFLICT (id) DO NOTHING`,
);
const LOCK = statement(
  'import_export.lock_notes',
  'SELECT 1 FROM notes WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

/** Locks notes to serialize updates of their counters. Inserts missing notes as placeholders. */
export async function lockNotes(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
  await reserveIds(executor, 'notes', ids);
  await executor.query(WRITE_PLACEHOLDERS, [ids]);
  await executor.query(LOCK, [ids]);
}

/**
 * Counts the rows of notes again. The imported count of a note already includes these rows.
 * @param column of the count; `_base` is the part of it without rows
 * @param where SQL condition of the counted rows `r`
 */
export const recountOfNotes = (
  column: 'likes' | 'replies',
  table: string,
  where = 'true',
): Statement =>
  statement(
    `import_export.recount_${table}`,
    `UPDATE notes n SET ${column} = c.count,
       ${column}_base = greatest(n.${column}_base - greatest(c.count - n.${column}, 0), 0)
     FROM (SELECT i.id, count(r.note_id)::int AS count
           FROM (SELECT DISTINCT unnest($1::bigint[]) AS id) i
           LEFT JOIN ${table} r ON r.note_id = i.id AND ${where} GROUP BY i.id) c
     WHERE n.id = c.id AND n.${column} <> c.count`,
  );
