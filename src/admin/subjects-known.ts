import { NotPossible } from '../api/errors';
import { statement, type Runner } from '../database/database';

const UNKNOWN = statement(
  'admin.unknown_subjects',
  `SELECT r.id::text AS id FROM unnest($1::bigint[]) AS r(id)
   WHERE NOT EXISTS (SELECT 1 FROM subjects s WHERE s.id = r.id AND s.removed_at IS NULL)
   ORDER BY r.id LIMIT 10`,
);

/** Imports may name subjects before these come; administrators mean known ones. @throws 1006 */
export async function checkSubjects(runner: Runner, ids: readonly number[]): Promise<void> {
  const rows = await runner.run<{ id: string }>(UNKNOWN, [ids]);
  if (rows.length === 0) return;
  const names = rows.map(({ id }) => id).join(', ');
  throw new NotPossible(`no such subjects: ${names}`, 'targetNotFound');
}
