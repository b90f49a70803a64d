import {
  BY_ISBN_FOR,
  BY_ISBNS_FOR,
  BooksRepository,
  SURVIVOR_BY_ISBN,
} from '../../src/books/books.repository';
import { type Statement } from '../../src/database/database';
import { BY_ISBN as IMPORT_BY_ISBN } from '../../src/import-export/books/book.handler';
import { openTestDatabase, type TestDatabase } from '../harness';
import { nodesOf, type ExplainRow, type PlanNode } from './query-plans';
import { vacuumAll } from './vacuum-all';

const BOOKS = 5000;
/** Both forms of the ISBN of a book, without a valid check digit. */
const isbn13Of = (n: number): string => `978${String(n).padStart(10, '0')}`;
const isbn10Of = (n: number): string => String(n).padStart(10, '0');

/** The nodes of a plan that read a table, or an index. */
const readsOf = (plan: PlanNode): string[] =>
  nodesOf(plan)
    .filter((node) => 'Index Name' in node || 'Relation Name' in node)
    .map((node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`);

let opened: TestDatabase;
let repository: BooksRepository;
beforeAll(async () => {
  opened = await openTestDatabase();
  repository = new BooksRepository(opened.database);
  await opened.source.query(
    `INSERT INTO books (id, title, isbn13, isbn10)
     SELECT n, 'Book', '978' || lpad(n::text, 10, '0'), lpad(n::text, 10, '0')
     FROM generate_series(1, ${BOOKS}) n`,
  );
  await opened.source.query(
    `INSERT INTO books (id, title) SELECT n, 'Book' FROM generate_series(${BOOKS + 1}, ${2 * BOOKS}) n`,
  );
  await opened.source.query(
    'UPDATE books SET placeholder = true, deleted_at = now() WHERE id % 2 = 0',
  );
  await opened.source.query(
    `INSERT INTO merged_records (kind, id, survivor_id)
     SELECT 'book', n, n - 1 FROM generate_series(2, ${BOOKS}, 2) n`,
  );
  await vacuumAll(opened.source, ['books', 'merged_records']);
});
afterAll(() => opened.close());

/** The generic plan of a statement, which does not know its values. */
async function genericPlan({ text }: Statement, values: readonly string[]): Promise<PlanNode> {
  const runner = opened.source.createQueryRunner();
  try {
    await runner.query('SET plan_cache_mode = force_generic_plan');
    await runner.query(`PREPARE lookup AS ${text}`);
    const [row] = (await runner.query(
      `EXPLAIN (FORMAT JSON) EXECUTE lookup(${values.join()})`,
    )) as [ExplainRow];
    await runner.query('DEALLOCATE lookup');
    await runner.query('RESET plan_cache_mode');
    return row['QUERY PLAN'][0].Plan;
  } finally {
    await runner.release();
  }
}

const ISBNS = `'{9780000000001,0000000001}'`;
it.each([
  ['a book', BY_ISBN_FOR, [ISBNS, '1']],
  ['the survivor of a merged book', SURVIVOR_BY_ISBN, [ISBNS]],
  ['several books', BY_ISBNS_FOR, [`'{9780000000001}'`, `'{0000000001}'`, `'{1}'`, '1']],
  ['the books of an import', IMPORT_BY_ISBN, [ISBNS]],
])('finds %s by the indexes of both forms', async (_name, statement, values) => {
  const reads = readsOf(await genericPlan(statement, values));
  expect(reads).not.toContain('Seq Scan books');
  expect(reads.join('\n')).toMatch(/Scan books_by_isbn13/);
  expect(reads.join('\n')).toMatch(/Scan books_by_isbn10/);
});

it('books have the positions of their ISBNs among texts that are no ISBNs', async () => {
  const forms = [[], [isbn13Of(7)], [], [], [isbn13Of(0), isbn10Of(3)], []];
  const found = await repository.listByIsbns(forms);
  expect(found.map(({ id, request_position: at }) => [Number(id), at])).toEqual([
    [7, 2],
    [3, 5],
  ]);
  expect(await repository.listByIsbns([[], []])).toEqual([]);
});
