import { statement, type SqlExecutor } from '../../database/database';
import { reserveIds } from '../engine/sequences';

const WRITE_PLACEHOLDERS = statement(
  'transfer.write_placeholder_notes',
  `INSERT INTO notes (id, privacy, placeholder)
   SELECT DISTINCT i.id, 'private', true FROM unnest($1::bigint[]) AS i(id) ORDER BY i.id
   ON CONFLICT (id) DO NOTHING`,
);
const LOCK = statement(
  'transfer.lock_notes',
  'SELECT 1 FROM notes WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

/** Locks notes to serialize updates of their counters. Inserts missing notes as placeholders. */
export async function lockNotes(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
  await reserveIds(executor, 'notes', ids);
  await executor.query(WRITE_PLACEHOLDERS, [ids]);
  await executor.query(LOCK, [ids]);
}
