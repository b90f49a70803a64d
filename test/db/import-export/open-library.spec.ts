import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type ImportError } from '../../../src/import-export/engine/import-options';
import {
  OpenLibraryImport,
  type DumpFile,
} from '../../../src/import-export/open-library/open-library.service';
import { book } from './records';
import { summary, type Wire } from './transfer';
import { FullTransfer } from './full';

const pathOf = (name: string): string => join(__dirname, `../../open-library/${name}.txt`);
const file = (name: string): DumpFile => ({ name, stream: createReadStream(pathOf(name)) });

let full: FullTransfer;
beforeEach(async () => {
  full = await FullTransfer.open();
});
afterEach(() => full.close());

async function take(editions = file('editions'), authors = file('authors')) {
  const faults: ImportError[] = [];
  const imports = new OpenLibraryImport(full.opened.database);
  const files = { editions, works: file('works'), authors };
  const result = await imports.import(files, { onError: (error) => faults.push(error) });
  return { result, faults };
}

/** A dump, packed. */
function dump(type: string, ...records: (readonly [key: string, value: Wire])[]): DumpFile {
  const lines = records.map(
    ([key, value]) => `/type/${type}\t${key}\t2\t2022-01-01T00:00:00\t${JSON.stringify(value)}\n`,
  );
  return { name: 'one', stream: Readable.from([gzipSync(lines.join(''))]) };
}

const edition = (key: string, value: Wire): DumpFile => dump('edition', [key, value]);

const byTitle = async (title: string): Promise<Wire> => {
  const found = (await full.transfer.records('book')).filter((book) => book.title === title);
  expect(found).toHaveLength(1);
  return found[0] ?? {};
};

it('closes its connection when its temporary tables cannot be created', async () => {
  await full.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
  END $$`);
  await expect(take()).rejects.toThrow('read-only transaction');
  const open = `SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'commonplace staging'`;
  // PostgreSQL notices the end of a connection a moment later.
  while ((await full.query(open)).length > 0);
});

it('an edition becomes a book with texts of its work and authors', async () => {
  const { result } = await take();
  expect(result).toEqual(summary({ imported: 24, skipped: 1, failed: 6 }));
  expect(await byTitle('The Whole')).toMatchObject({
    ...{ subtitle: 'all of it', isbn10: '0306406152', isbn13: '9780306406157' },
    ...{ author: ['Ada Example', 'Bo Sample'], translator: ['Cy Turner'] },
    ...{ publisher: 'First House / Second House', pubdate: 'May 2001', pages: '321' },
    ...{ binding: 'Paperback', origin_title: 'Das Ganze', alt_title: 'Everything' },
    ...{ series: { title: 'Example Classics' }, catalog: '1 Begin 9\nEnd\nIndex', image: '' },
    ...{ author_intro: 'She wrote.\nA lot.', summary: 'What it is about.' },
    tags: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ count: 1, name: `Subject ${n}` })),
    rating: { max: 10, min: 0, numRaters: 0, average: '0.0' },
  });
  expect(await byTitle('Second')).toMatchObject({
    ...{ author: ['Bo Sample', '陳示例'], author_intro: 'Plain words.', pages: 'xii, 90 p.' },
    ...{ summary: 'Of this edition.', tags: [{ count: 1, name: 'Own subject' }] },
  });
  const clean = await byTitle('NUL and bell');
  const { series } = await byTitle('The Whole');
  expect(clean).toMatchObject({ publisher: '', isbn13: '', series });
  expect(await byTitle('三體')).toMatchObject({ author: ['Author 26'], pages: '302' });
});

it('accepts only ISBNs with a correct check digit', async () => {
  await take();
  expect(await byTitle('Wrong numbers')).toMatchObject({ isbn10: '020161622X', isbn13: '' });
  expect(await byTitle('Eight')).toMatchObject({ isbn13: '9791090636071' });
  expect(await byTitle('Eight')).not.toHaveProperty('series');
});

it('reports invalid editions, and skips redirects and deleted entries', async () => {
  const { faults } = await take();
  expect(faults.map(({ file: name, line, reason }) => [name, line, reason])).toEqual([
    ['authors', 29, 'not valid JSON'],
    ['works', 28, 'not type, key, revision, time and JSON, separated by tabs'],
    ['editions', 3, 'title is missing'],
    ['editions', 8, 'the JSON is not an object'],
    ['editions', 9, 'not valid JSON'],
    ['editions', 10, 'title is missing'],
  ]);
});

it('removes NUL and lone surrogates from texts, and rejects invalid keys', async () => {
  const key = '/authors/OL1A';
  const long = `/authors/${'x'.repeat(1_000_000)}`;
  const names = [key, '/authors/OL2A', '/authors/\0', long];
  const works = ['\0', long, '/works/\ud800'];
  const { result, faults } = await take(
    edition('/books/OL1M', { title: 'One', authors: names, works }),
    dump('author', [key, { name: 'A\0da\ud800' }], [long, { name: 'B' }], ['', { name: 'C' }]),
  );
  expect(result).toMatchObject({ imported: 1, failed: 3 });
  expect(faults.map(({ file: name, line, reason }) => [name, line, reason])).toEqual([
    ['one', 2, 'the key is invalid'],
    ['one', 3, 'the key is invalid'],
    ['works', 28, 'not type, key, revision, time and JSON, separated by tabs'],
  ]);
  expect(await byTitle('One')).toMatchObject({ author: ['Ada\ufffd'] });
});

it('a second import changes nothing', async () => {
  await take();
  const before = await full.transfer.export('book');
  const { result } = await take();
  expect(result).toEqual(summary({ skipped: 25, failed: 6 }));
  expect(await full.transfer.export('book')).toBe(before);
  const [series] = await full.query<{ n: number }>('SELECT count(*)::int AS n FROM series');
  expect(series?.n).toBe(1);
});

it('updates the book of an edition key, and keeps what others added', async () => {
  await take();
  const { id } = await byTitle('Second');
  await full.query('UPDATE books SET rating_base_count = 5, price = $1 WHERE id = $2', ['9', id]);
  const { result } = await take(edition('/books/OL2M', { title: 'Second, corrected' }));
  expect(result).toMatchObject({ imported: 0, updated: 1 });
  expect(await byTitle('Second, corrected')).toMatchObject({
    ...{ id, price: '9', rating: { numRaters: 5 } },
  });
});

it('finds an existing book by ISBN, and adds only missing members', async () => {
  const stored = { id: 7, title: 'Ours', isbn10: '0306406152', publisher: 'Own' };
  await full.transfer.take('book', [stored]);
  await take();
  expect(await full.transfer.records('book')).toHaveLength(24);
  expect(await byTitle('Ours')).toMatchObject({
    ...{ id: '7', publisher: 'Own', isbn13: '9780306406157', pages: '321' },
    author: ['Ada Example', 'Bo Sample'],
  });
});

it('a full export contains the edition keys', async () => {
  await take();
  const folder = await full.export('out');
  const other = await FullTransfer.open();
  try {
    await other.import(folder);
    const sql = 'SELECT * FROM book_sources ORDER BY key';
    expect(await other.query(sql)).toEqual(await full.query(sql));
    expect(await other.query(sql)).toHaveLength(25);
  } finally {
    await other.close();
  }
});

describe('an edition of a merged book', () => {
  const editions = (title: string): DumpFile =>
    dump('edition', ['/books/OL1M', { title }], ['/books/OL2M', { title: 'Second' }]);

  /** Stores that the first of two imported books was merged into the second. */
  async function merge(): Promise<void> {
    await full.query(`UPDATE books SET placeholder = true, deleted_at = now() WHERE id = 1`);
    await full.query(`INSERT INTO merged_records (kind, id, survivor_id) VALUES ('book', 1, 2)`);
  }

  /** Imports a later version of the first edition. @returns the books */
  async function booksAfterRevision(): Promise<unknown[]> {
    const revised = edition('/books/OL1M', { title: 'Revised', publishers: ['House'] });
    expect((await take(revised)).result).toMatchObject({ imported: 0, updated: 1 });
    return full.query('SELECT id::int, title, publisher FROM books WHERE deleted_at IS NULL');
  }
  const SURVIVOR = [{ id: 2, title: 'Second', publisher: 'House' }];

  it('fills the survivor if its source refers to the merged book', async () => {
    await take(editions('First'));
    await merge();
    expect(await booksAfterRevision()).toEqual(SURVIVOR);
  });

  it('fills a survivor that an edition created', async () => {
    await take(editions('First'));
    await merge();
    await take(edition('/books/OL2M', { title: 'Revised', publishers: ['House'] }));
    const books = 'SELECT id::int, title, publisher FROM books WHERE deleted_at IS NULL';
    expect(await full.query(books)).toEqual(SURVIVOR);
  });

  it('fills the survivor after an import of an export from before the merge', async () => {
    await take(editions('First'));
    const folder = await full.export('before');
    await merge();
    await full.query('UPDATE book_sources SET book_id = 2');
    await full.import(folder);
    const sources = 'SELECT key, book_id::int FROM book_sources ORDER BY key';
    expect(await full.query(sources)).toEqual([
      { key: '/books/OL1M', book_id: 2 },
      { key: '/books/OL2M', book_id: 2 },
    ]);
    expect(await booksAfterRevision()).toEqual(SURVIVOR);
  });
});

it('a deleted book with the ISBN is restored with its own members', async () => {
  const isbn13 = '9780306406157';
  await full.transfer.take('book', [
    book(7, { title: 'Own', isbn13, price: '10', summary: 'Text', publisher: '' }),
  ]);
  await full.opened.source.query('UPDATE books SET deleted_at = now()');
  const value = { title: 'Edition', isbn_13: [isbn13], publishers: ['House'] };
  await take(edition('/books/OL7M', value));
  expect(await full.transfer.records('book')).toMatchObject([
    { id: '7', title: 'Own', price: '10', summary: 'Text', publisher: 'House' },
  ]);
});

it('names of series have at most 1,000 characters', async () => {
  await take(edition('/books/OL8M', { title: 'Serial', series: ['S'.repeat(2_000_000)] }));
  expect(await byTitle('Serial')).toMatchObject({ series: { title: 'S'.repeat(1000) } });
});
