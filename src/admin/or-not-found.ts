import { OperationError } from '../api/errors/errors';
import { statement, type SqlExecutor, type Statement } from '../database/database';

const missingIn = (table: string, state: string): Statement =>
  statement(
    `admin.unknown_${table}`,
    `SELECT r.id::text AS id FROM unnest($1::bigint[]) AS r(id)
     WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = r.id ${state})
     ORDER BY r.id LIMIT 10`,
  );
const SHOWN = 'AND t.removed_at IS NULL';

const UNKNOWN = {
  subjects: missingIn('subjects', SHOWN),
  celebrities: missingIn('celebrities', SHOWN),
  cities: missingIn('cities', SHOWN),
  users: missingIn('users', ''),
} as const;

/** Tables whose rows records can reference. */
export type NamedTable = keyof typeof UNKNOWN;

/**
 * Up to ten ids without a row or with only a placeholder, ascending. Imports may reference records
 * before they are imported; administrators may not.
 */
export async function missingIds(
  executor: SqlExecutor,
  table: NamedTable,
  ids: readonly (number | string)[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await executor.query<{ id: string }>(UNKNOWN[table], [ids]);
  return rows.map(({ id }) => id);
}

/** @throws OperationError 1006 listing subjects that do not exist */
export async function checkSubjects(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
  const unknown = await missingIds(executor, 'subjects', ids);
  if (unknown.length === 0) return;
  throw new OperationError(`no such subjects: ${unknown.join(', ')}`, 'targetNotFound');
}
