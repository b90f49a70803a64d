import { Readable } from 'node:stream';
import { Client } from 'pg';
import { type DataSource } from 'typeorm';
import { makeDataSource } from '../../../src/database/data-source';
import { Database } from '../../../src/database/database';
import { BY_TAG } from '../../../src/books/search.repository';
import { checkTagCounts } from '../../../src/books/tag-counts';
import { ImportService } from '../../../src/import-export/engine/import.service';
import { RecordHandlers } from '../../../src/import-export/engine/handlers';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { testSettings } from '../../settings';
import { AWKWARD, book } from './records';
import { summary, toLines, Transfer, type Wire } from './transfer';

let opened: TestDatabase;
let transfer: Transfer;

beforeAll(async () => {
  opened = await openTestDatabase();
  transfer = new Transfer(opened.database);
});

afterAll(() => opened.close());

beforeEach(() => transfer.clear());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

const TEXTS = [AWKWARD, '\\.', '\\N', "it's \\'", '{a,"b"}', '\\', '\t', 'SF ＳＦ 著', '😀𠮷'];
const text = (at: number): string => TEXTS[at % TEXTS.length] as string;

/** Books with all members, and texts that are special to COPY, arrays or search terms. */
const BOOKS: readonly Wire[] = numbers(60).map((id) =>
  book(id, {
    isbn13: id % 3 === 0 ? '9787536692930' : '',
    title: `${text(id)} ${id}`,
    origin_title: text(id + 1),
    author: [text(id + 2), text(id + 3), ''],
    translator: id % 2 === 0 ? [] : [text(id)],
    publisher: text(id + 4),
    pubdate: id % 4 === 0 ? '' : '2008-1',
    rating: { max: 10, min: 0, numRaters: id, average: '7.5' },
    tags: [
      { count: 9, name: text(id) },
      { count: 8, name: 'sf' },
      ...(id % 5 === 0 ? [{ count: 7, name: 'SF' }] : []),
    ].filter(({ name }) => name.trim() !== ''),
    summary: text(id + 5),
    catalog: text(id + 6),
    ...(id % 7 === 0 ? { kind: 'magazine' } : {}),
    ...(id % 2 === 0 ? { series: { id: '12', title: 'Series' } } : {}),
    ...(id % 6 === 0 ? { ebook_url: 'http://x/e', ebook_price: text(id) } : {}),
  }),
);

/** All that an import of books writes, except times. */
async function contents(): Promise<unknown[]> {
  const book = `to_jsonb(b) - '{created_at,updated_at}'::text[]`;
  const tables = [
    `SELECT ${book} AS row FROM books b ORDER BY id`,
    'SELECT to_jsonb(t) AS row FROM book_tags t ORDER BY book_id, name',
    'SELECT to_jsonb(s) AS row FROM book_search s ORDER BY book_id',
    'SELECT folded AS row, sum(books) FROM book_tag_counts GROUP BY 1 HAVING sum(books) <> 0 ORDER BY 1',
  ];
  const rows: unknown[] = [];
  for (const sql of tables) rows.push(await transfer.query(sql));
  return rows;
}

describe('many new books', () => {
  it('are stored like single ones', async () => {
    for (const one of BOOKS) await transfer.take('book', [one]);
    const expected = await contents();
    await transfer.clear();
    expect(await transfer.take('book', BOOKS)).toEqual(summary({ imported: BOOKS.length }));
    expect(await contents()).toEqual(expected);
    expect(await checkTagCounts(opened.database, { repair: false })).toEqual([]);
  });

  it('are exported as they were imported, and change nothing when they are imported again', async () => {
    await transfer.take('book', BOOKS);
    const exported = await transfer.export('book');
    expect(await transfer.take('book', BOOKS)).toEqual(summary({ skipped: BOOKS.length }));
    expect(await transfer.export('book')).toBe(exported);
  });

  it('are found by their tags, also beside books that existed', async () => {
    await transfer.take('book', BOOKS.slice(0, 10));
    await transfer.take('book', BOOKS);
    const [row] = await transfer.query<{ total: number }>(BY_TAG.text, [1, 0, null, 'sf']);
    expect(row?.total).toBe(BOOKS.filter(({ kind }) => kind === undefined).length);
    expect(await checkTagCounts(opened.database, { repair: false })).toEqual([]);
  });

  it('fail alone when PostgreSQL rejects one of them', async () => {
    const name = Array.from({ length: 9000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    const bad = book(1000, { title: 'bad', tags: [{ count: 1, name }] });
    const all = [...BOOKS.slice(0, 37), bad, ...BOOKS.slice(37)];
    const { summary: counts, faults } = await transfer.import('book', all);
    expect(counts).toEqual(summary({ imported: BOOKS.length, failed: 1 }));
    expect(faults.map(({ line }) => line)).toEqual([38]);
  });
});

it('an import that stopped continues when it is repeated, and skips what is stored', async () => {
  const many = numbers(4000).map((id) => book(id, { title: `Book ${id}` }));
  const lines = toLines(many).split(/(?<=\n)/);
  const broken = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(lines.slice(0, 3500).join(''));
    yield await Promise.reject(new Error('the disk is gone'));
  };
  const service = new ImportService(opened.database, new RecordHandlers());
  const stopped = service.import('book', 'file', Readable.from(broken()));
  await expect(stopped).rejects.toThrow('the disk is gone');
  const { books: stored = 0 } = await transfer.sizes();
  expect(stored).toBeGreaterThan(0);
  expect(await transfer.take('book', many)).toEqual(
    summary({ imported: many.length - stored, skipped: stored }),
  );
  expect(await transfer.sizes()).toMatchObject({ books: 4000, book_search: 4000 });
});

describe('with short timeouts for requests', () => {
  const LOCK_MS = 50;
  let source: DataSource;
  let other: Client;
  beforeAll(async () => {
    const settings = testSettings({
      DATABASE_LOCK_TIMEOUT_MS: String(LOCK_MS),
      DATABASE_STATEMENT_TIMEOUT_MS: String(2 * LOCK_MS),
    });
    source = makeDataSource(settings, opened.url, []);
    await source.initialize();
    other = new Client({ connectionString: opened.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await source.destroy();
  });

  /** Waits until a statement has waited for a lock much longer than requests may. */
  async function someoneWaited(): Promise<void> {
    for (let waited = false; !waited;) {
      const { rows } = await other.query<{ waited: boolean }>(
        `SELECT coalesce(max(clock_timestamp() - a.query_start) > interval '${20 * LOCK_MS} ms', false)
           AS waited
         FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND NOT l.granted
         WHERE a.datname = current_database()`,
      );
      waited = rows[0]?.waited === true;
    }
  }

  it.each([
    ['the table of tags', 'book_tags', 'ACCESS EXCLUSIVE'],
    ['search texts', 'book_search', 'ACCESS EXCLUSIVE'],
    ['counts of tags at the end', 'book_tag_counts', 'SHARE ROW EXCLUSIVE'],
  ])('an import waits for a lock of %s', async (_what, table, mode) => {
    const service = new ImportService(new Database(source), new RecordHandlers());
    await other.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE`);
    const input = Readable.from([Buffer.from(toLines(BOOKS))]);
    const done = service.import('book', 'file', input);
    done.catch(() => undefined);
    await Promise.race([someoneWaited(), done]);
    await other.query('COMMIT');
    expect(await done).toEqual(summary({ imported: BOOKS.length }));
  });
});
