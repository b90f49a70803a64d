import { type DataSource } from 'typeorm';

/**
 * Vacuums and analyzes tables until all of their pages are marked as visible, so that reads of
 * indexes do not read rows. Meanwhile another transaction, such as one of autovacuum, may prevent it.
 */
export async function vacuumAll(source: DataSource, tables: readonly string[]): Promise<void> {
  for (;;) {
    await source.query(`VACUUM ANALYZE ${tables.join(', ')}`);
    const [row] = await source.query<{ visible: boolean }[]>(
      `SELECT bool_and(relallvisible = relpages) AS visible FROM pg_class
       WHERE oid = ANY($1::regclass[])`,
      [tables],
    );
    if (row?.visible === true) return;
  }
}
