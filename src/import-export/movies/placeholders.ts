import { type SqlExecutor } from '../../database/database';
import { reserveIds } from '../engine/sequences';
import { UNKNOWN_CELEBRITIES, UNKNOWN_SUBJECTS } from './credit.statements';

/** Inserts missing subjects as placeholders. Existing ones stay unchanged. */
export async function ensurePlaceholders(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await reserveIds(executor, 'subjects', ids);
  await executor.query(UNKNOWN_SUBJECTS, [ids]);
}

/** Inserts missing celebrities as placeholders. */
export async function ensurePlaceholderCelebrities(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await reserveIds(executor, 'celebrities', ids);
  await executor.query(UNKNOWN_CELEBRITIES, [ids]);
}
