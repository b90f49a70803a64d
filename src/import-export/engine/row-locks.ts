import { statement, type Statement } from '../../database/database';

interface RowLocks {
  /** Name of the statement. */
  readonly name: string;
  readonly table: 'users' | 'cities';
  /** The records `r` in SQL, with `id`. */
  readonly records: string;
  /** SQL condition of records whose row `t` is locked `FOR UPDATE`, as a new unique value needs. */
  readonly needsStrongLock: string;
  /** The lock of the other rows, which conflicts with no reference to them. */
  readonly weakLock: 'NO KEY UPDATE' | 'KEY SHARE';
}

/**
 * Locks the existing rows of records in the order of their ids until the transaction ends. Later
 * statements may then visit the rows in any order. Foreign keys, for example, lock referenced rows
 * in insertion order. A row that gets another unique value needs `FOR UPDATE`, which conflicts with
 * references, and would deadlock if it took the weaker lock first.
 *
 * @returns a statement with the records as JSON, and with the number of `locked` rows
 */
export const rowLockStatement = (locks: RowLocks): Statement => {
  const { name, table, records, needsStrongLock, weakLock } = locks;
  const lock = (mode: string): string => `(SELECT 1 FROM ${table} t WHERE t.id = r.id FOR ${mode})`;
  return statement(
    `import_export.${name}`,
    `SELECT count(CASE WHEN r.needs_strong_lock THEN ${lock('UPDATE')} ELSE ${lock(weakLock)} END)::int
       AS locked
     FROM (SELECT t.id, ${needsStrongLock} AS needs_strong_lock
       FROM ${records} JOIN ${table} t ON t.id = r.id ORDER BY t.id) r`,
  );
};
