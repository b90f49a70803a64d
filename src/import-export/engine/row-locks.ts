import { statement, type Statement } from '../../database/database';

interface RowLocks {
  /** Name of the statement. */
  readonly name: string;
  readonly table: 'users' | 'cities';
  /** The records `r` in SQL, with `id`. */
  readonly records: string;
  /** SQL condition of records whose row `t` gets another unique value. */
  readonly changesKey: string;
  /** The lock of the other rows, which conflicts with no reference to them. */
  readonly otherwise: 'NO KEY UPDATE' | 'KEY SHARE';
}

/**
 * Locks the existing rows of records in the order of their ids until the transaction ends. Later
 * statements then find their locks taken, in whichever order they visit the rows: foreign keys do it in
 * the order of inserted rows. A row that gets another unique value needs the lock that conflicts with
 * references, and would deadlock if it took the weaker one first.
 *
 * @returns a statement with the records as JSON
 */
export const lockRowsOf = (locks: RowLocks): Statement => {
  const { name, table, records, changesKey, otherwise } = locks;
  const lock = (mode: string): string => `(SELECT 1 FROM ${table} t WHERE t.id = r.id FOR ${mode})`;
  return statement(
    `import_export.${name}`,
    `SELECT count(CASE WHEN r.changes_key THEN ${lock('UPDATE')} ELSE ${lock(otherwise)} END)
     FROM (SELECT t.id, ${changesKey} AS changes_key
       FROM ${records} JOIN ${table} t ON t.id = r.id ORDER BY t.id) r`,
  );
};
