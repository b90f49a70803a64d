import { BOOK_TABLES, bookColumns } from '../../src/books/books.sql';
import { atScale, figure } from '../figures';
import { Target } from './target';

/** Tags that users have given to one book. */
const TAGS = atScale(50_000, 5000);

/** Tags that a book shows. */
const SHOWN = 8;

let target: Target;
let book: number;
beforeAll(async () => {
  target = await Target.start();
  book = await target.make.aBook();
  await query(
    `INSERT INTO book_tags (book_id, name, folded, used_count)
     SELECT $1, 'tag' || n, 'tag' || n, 1 FROM generate_series(1, ${TAGS}) n`,
    [book],
  );
  await query('ANALYZE book_tags', []);
});
afterAll(() => target.close());

const query = <T>(sql: string, values: unknown[]): Promise<T[]> =>
  target.opened.source.query<T[]>(sql, values);

/** A node of a plan of PostgreSQL. */
interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

/** Rows that a statement reads of a table. */
function rowsRead(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), own);
}

it('reads of a book only the tags that it shows, however many it has', async () => {
  const [explained] = await query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) SELECT ${bookColumns()} FROM ${BOOK_TABLES} WHERE b.id = $1`,
    [book],
  );
  const [plan] = explained?.['QUERY PLAN'] ?? [];
  expect(rowsRead(plan?.Plan as Plan, 'book_tags')).toBe(SHOWN);
});

it('201: lists of the book and new tags take a short time', async () => {
  const { id: userId } = await target.make.aUser();
  const token = await target.token({ userId });
  const path = `/v2/book/${book}`;
  for (let at = 0; at < 100; at += 1) await target.make.anAnnotation({ book_id: book });
  const list = performance.now();
  expect((await target.call(`${path}/annotations?count=100`)).body.count).toBe(100);
  figure('list of a book with many tags: s', (performance.now() - list) / 1000, { atMost: 0.5 });
  const write = performance.now();
  const tags = Array.from({ length: 20 }, (_, at) => `new${at}`).join(' ');
  const body = new URLSearchParams({ status: 'read', tags });
  expect((await target.call(`${path}/collection`, { method: 'POST', token, body })).status).toBe(
    201,
  );
  figure('new tags of a book with many: s', (performance.now() - write) / 1000, { atMost: 0.5 });
});
