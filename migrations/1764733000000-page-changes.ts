import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The log of changes also names what only pages depend on: texts about a book (`texts`), its readers
 * (`readers`), and the books of a series (`series_books`).
 */
export class PageChanges1764733000000 implements MigrationInterface {
  name = 'PageChanges1764733000000';

  async up(db: QueryRunner): Promise<void> {
    for (const table of LOGGED) await db.query(functionsOf(table));
    for (const table of TEXTS) {
      for (const [event, rows] of EVENTS) await db.query(triggerOf(table, event, rows));
      await db.query(`CREATE TRIGGER ${table}_truncate_logged AFTER TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION log_change('texts')`);
    }
    for (const [table, groups] of TRUNCATED) await db.query(truncateTriggerOf(table, groups));
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TEXTS) {
      await db.query(
        `DROP FUNCTION log_${table}_inserts, log_${table}_updates, log_${table}_deletes CASCADE`,
      );
      await db.query(`DROP TRIGGER ${table}_truncate_logged ON ${table}`);
    }
    for (const table of BEFORE) await db.query(functionsOf(table));
    for (const [table, groups] of TRUNCATED_BEFORE)
      await db.query(truncateTriggerOf(table, groups));
  }
}

/** A table whose changes are logged row by row. */
interface Logged {
  readonly table: string;
  /** The keys of a row, as a list of SQL expressions. */
  readonly keys: string;
  /** The same for a new row; default is {@link keys}. */
  readonly keysOfNew?: string;
  /** Keys of all rows of the table, for a change of more than {@link maxKeys}. */
  readonly groups: string;
  readonly maxKeys: number;
}

const ISBNS = `'isbn:' || nullif(isbn10, ''), 'isbn:' || nullif(isbn13, '')`;
const SERIES = `'series_books:' || series_id`;
const COLLECTION = `'collection:' || user_id || ':' || book_id`;

const TEXTS = ['reviews', 'annotations'] as const;

const LOGGED: readonly Logged[] = [
  ...TEXTS.map((table) => ({
    ...{ table, keys: `'texts:' || book_id`, groups: 'texts', maxKeys: 2000 },
  })),
  {
    table: 'collections',
    keys: `${COLLECTION}, 'readers:' || book_id`,
    groups: 'collection,readers',
    maxKeys: 3000,
  },
  {
    table: 'books',
    keys: `'book:' || id, ${ISBNS}, ${SERIES}`,
    keysOfNew: `${ISBNS}, ${SERIES}`,
    groups: 'book,isbn,series_books',
    maxKeys: 3000,
  },
];

/** The functions before this migration. */
const BEFORE: readonly Logged[] = [
  { table: 'collections', keys: COLLECTION, groups: 'collection', maxKeys: 2000 },
  {
    table: 'books',
    keys: `'book:' || id, ${ISBNS}`,
    keysOfNew: ISBNS,
    groups: 'book,isbn',
    maxKeys: 2000,
  },
];

const TRUNCATED = [
  ['collections', `'collection', 'readers'`],
  ['books', `'book', 'isbn', 'series_books'`],
] as const;

const TRUNCATED_BEFORE = [
  ['collections', `'collection'`],
  ['books', `'book', 'isbn'`],
] as const;

const EVENTS = [
  ['INSERT', 'REFERENCING NEW TABLE AS changed'],
  ['UPDATE', 'REFERENCING OLD TABLE AS before NEW TABLE AS changed'],
  ['DELETE', 'REFERENCING OLD TABLE AS changed'],
] as const;

const functionOf = (name: string, rows: string, keys: string, { groups, maxKeys }: Logged) => `
CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_changes (keys)
  SELECT CASE WHEN count(*) > ${maxKeys} THEN '{${groups}}' ELSE array_agg(key) END
  FROM (SELECT DISTINCT unnest(ARRAY[${keys}]) AS key FROM ${rows}) AS keyed
  WHERE key IS NOT NULL HAVING count(*) > 0;
  RETURN NULL;
END $$;`;

/** An update counts for the keys of the old and the new rows. */
function functionsOf(logged: Logged): string {
  const { table, keys, keysOfNew = keys } = logged;
  const both = '(SELECT * FROM before UNION ALL SELECT * FROM changed) AS touched';
  return (
    functionOf(`log_${table}_inserts`, 'changed', keysOfNew, logged) +
    functionOf(`log_${table}_deletes`, 'changed', keys, logged) +
    functionOf(`log_${table}_updates`, both, keys, logged)
  );
}

const triggerOf = (table: string, event: 'INSERT' | 'UPDATE' | 'DELETE', rows: string): string =>
  `CREATE TRIGGER ${table}_${event.toLowerCase()}_logged AFTER ${event} ON ${table}
   ${rows} FOR EACH STATEMENT EXECUTE FUNCTION log_${table}_${event.toLowerCase()}s()`;

const truncateTriggerOf = (table: string, groups: string): string =>
  `CREATE OR REPLACE TRIGGER ${table}_truncate_logged AFTER TRUNCATE ON ${table}
   FOR EACH STATEMENT EXECUTE FUNCTION log_change(${groups})`;
