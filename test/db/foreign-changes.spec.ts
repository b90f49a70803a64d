import { deleteForeignChanges } from '../../src/server/foreign-changes';
import { Factories } from '../factories/factories';
import { openTestDatabase, type TestDatabase } from '../harness';

/** A transaction number that a new server reaches after years. */
const FOREIGN = '4611686018427387904';

let opened: TestDatabase;
let make: Factories;
beforeAll(async () => {
  opened = await openTestDatabase();
  make = new Factories(opened.database);
});
afterAll(() => opened.close());

const INSERTS = {
  content_changes: `INSERT INTO content_changes (xid, keys) VALUES ($1, '{book:1}')`,
  book_search_changes: `INSERT INTO book_search_changes (transaction_id, book_id, existed)
    VALUES ($1, 1, false)`,
  subject_search_changes: `INSERT INTO subject_search_changes (transaction_id, subject_id, existed)
    VALUES ($1, 1, false)`,
  book_tags_changes: `INSERT INTO book_tags_changes (transaction_id, folded, existed)
    VALUES ($1, '', false)`,
  subject_tags_changes: `INSERT INTO subject_tags_changes (transaction_id, folded, existed)
    VALUES ($1, '', false)`,
};

const count = async (table: string): Promise<number> => {
  const [row]: { n: number }[] = await opened.source.query(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return row?.n ?? 0;
};

it('changes that a dump brought from another server are deleted, and those of this server are kept', async () => {
  await make.aBook();
  const tables = Object.keys(INSERTS);
  const before = await Promise.all(tables.map(count));
  expect(before[tables.indexOf('book_search_changes')]).toBeGreaterThan(0);
  for (const insert of Object.values(INSERTS)) await opened.source.query(insert, [FOREIGN]);
  await deleteForeignChanges(opened.source);
  expect(await Promise.all(tables.map(count))).toEqual(before);
});
