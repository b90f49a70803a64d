import { statement, type Runner, type Statement } from '../database/database';

const TABLES = ['users', 'series', 'books', 'collections', 'annotations', 'reviews'] as const;
type Table = (typeof TABLES)[number];

// Imported rows bring their ids; new ones must come after them. A sequence is never set back.
const BUMP = Object.fromEntries(
  TABLES.map((table) => [
    table,
    statement(
      `transfer.bump_${table}`,
      `SELECT setval('${table}_id_seq', greatest(
         (SELECT max(id) FROM ${table}), (SELECT last_value FROM ${table}_id_seq)))
       WHERE EXISTS (SELECT 1 FROM ${table})`,
    ),
  ]),
) as Record<Table, Statement>;

/** Lets the next id of a table come after every id in it. */
export async function bumpSequence(runner: Runner, table: Table): Promise<void> {
  await runner.run(BUMP[table]);
}
