import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { wireTime } from '../../database/wire-time';
import { type Table } from './sequences';

/** Deletes rows of one table. */
export interface RowDeletion {
  delete(executor: SqlExecutor, id: number): Promise<void>;

  /** Restores a soft-deleted row. @returns whether there was one */
  restore(executor: SqlExecutor, id: number): Promise<boolean>;

  /** The deletion time in the format of the API; undefined when not deleted. */
  deletedAt(executor: SqlExecutor, id: number): Promise<string | undefined>;
}

/** Deletes rows for good. */
export class HardDeletion implements RowDeletion {
  private readonly remove: Statement;

  constructor(table: Table) {
    this.remove = statement(`import_export.delete_${table}`, `DELETE FROM ${table} WHERE id = $1`);
  }

  async delete(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(this.remove, [id]);
  }

  restore(): Promise<boolean> {
    return Promise.resolve(false);
  }

  deletedAt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** Sets the deletion time of rows, which reads exclude then. */
export class SoftDeletion implements RowDeletion {
  private readonly remove: Statement;
  private readonly restoreStatement: Statement;
  private readonly time: Statement;
  private readonly onSoftDelete: readonly Statement[];

  /**
   * @param onSoftDelete SQL that removes deleted rows from searches and lists; parameter 1 has
   *   their ids
   * @param restored SQL assignments for restored rows
   */
  constructor(
    table: Table,
    onSoftDelete: readonly string[] = [],
    restored: readonly string[] = [],
  ) {
    const name = `import_export.soft_delete_${table}`;
    this.remove = statement(
      name,
      `UPDATE ${table} SET deleted_at = date_trunc('second', now()) WHERE id = $1`,
    );
    this.restoreStatement = statement(
      `import_export.restore_${table}`,
      `UPDATE ${table} SET ${['deleted_at = NULL', ...restored].join(', ')}
       WHERE id = $1 AND deleted_at IS NOT NULL RETURNING 1`,
    );
    this.time = statement(
      `import_export.deletion_of_${table}`,
      `SELECT ${wireTime('deleted_at')} AS deleted FROM ${table}
       WHERE id = $1 AND deleted_at IS NOT NULL`,
    );
    this.onSoftDelete = onSoftDelete.map((sql, at) => statement(`${name}_${at}`, sql));
  }

  async delete(executor: SqlExecutor, id: number): Promise<void> {
    await executor.query(this.remove, [id]);
    await this.runOnSoftDelete(executor, [id]);
  }

  /** Removes rows, such as a deleted book, from searches and lists; their deletion time is already set. */
  async runOnSoftDelete(executor: SqlExecutor, ids: readonly number[]): Promise<void> {
    for (const step of this.onSoftDelete) await executor.query(step, [ids]);
  }

  async restore(executor: SqlExecutor, id: number): Promise<boolean> {
    return (await executor.query(this.restoreStatement, [id])).length > 0;
  }

  async deletedAt(executor: SqlExecutor, id: number): Promise<string | undefined> {
    const [row] = await executor.query<{ deleted: string }>(this.time, [id]);
    return row?.deleted;
  }
}
