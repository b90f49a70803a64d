import { type SqlExecutor } from '../../database/database';
import { type RecordHandler } from './record-handler';

/**
 * Replaces the omitted fields of each record by the stored values.
 * @param records records with distinct keys
 * @param members fields that a file may omit; they are undefined then
 */
export async function withStored<R extends object>(
  executor: SqlExecutor,
  kind: Pick<RecordHandler<R>, 'key' | 'load'>,
  records: readonly R[],
  members: readonly (keyof R)[],
): Promise<R[]> {
  const openIn = (record: R) => members.filter((name) => record[name] === undefined);
  if (records.every((record) => openIn(record).length === 0)) return [...records];
  const stored = await kind.load(executor, records);
  return records.map((record) => {
    const existing = stored.get(kind.key(record) ?? '');
    if (!existing) return record;
    const filled = openIn(record).map((name) => [name, existing[name]]);
    return { ...record, ...Object.fromEntries(filled) } as R;
  });
}
