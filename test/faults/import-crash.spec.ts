import { PassThrough, type Readable } from 'node:stream';
import { type DataSource } from 'typeorm';
import { Database } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { RecordHandlers } from '../../src/import-export/engine/handlers';
import { type ImportSummary } from '../../src/import-export/engine/import-options';
import { ImportService } from '../../src/import-export/engine/import.service';
import { OpenLibraryImport } from '../../src/import-export/open-library/open-library.service';
import { ENTITIES } from '../../src/server/entities';
import { testSettings } from '../settings';
import { until } from './collectors';
import { Postgres } from './postgres';

const RECORDS = 3000;

let postgres: Postgres;
let source: DataSource;
beforeAll(async () => {
  postgres = await Postgres.start();
  source = makeDataSource(testSettings(), postgres.url, ENTITIES);
  await source.initialize();
}, 120_000);
afterAll(async () => {
  await source.destroy();
  await postgres.close();
});

const lines = (first: number, lineOf: (number: number) => string): string =>
  Array.from({ length: RECORDS }, (_, at) => `${lineOf(first + at)}\n`).join('');

const countBooks = async (): Promise<number> =>
  Number((await postgres.sql<{ books: string }>('SELECT count(*) AS books FROM books'))[0]?.books);

const importBooks = (stream: Readable): Promise<ImportSummary> =>
  new ImportService(new Database(source), new RecordHandlers()).import('book', 'books', stream);

const importEditions = (stream: Readable): Promise<ImportSummary> =>
  new OpenLibraryImport(new Database(source)).import({ editions: { name: 'editions', stream } });

const bookOf = (id: number): string => JSON.stringify({ id: String(id), title: `Book ${id}` });

const editionOf = (id: number): string =>
  `/type/edition\t/books/OL${id}M\t1\t2020-01-01T00:00:00\t${JSON.stringify({ title: `Edition ${id}` })}`;

it.each([
  ['books', importBooks, bookOf, 2700],
  ['editions of Open Library', importEditions, editionOf, 3000],
])(
  'an import of %s fails if PostgreSQL crashes while it waits for records, because stored ones may be lost',
  async (_, run, lineOf, complete) => {
    const before = await countBooks();
    const input = new PassThrough();
    const failure = expect(run(input)).rejects.toThrow('the connection to PostgreSQL was lost');
    input.write(lines(1000, lineOf));
    const isStored = async () => (await countBooks()) === before + complete;
    await until('complete batches are stored', isStored);
    await postgres.crashSession();
    await postgres.ready();
    input.end(lines(50_000, lineOf));
    await failure;
    // The command is repeated.
    const again = new PassThrough();
    again.end(lines(1000, lineOf) + lines(50_000, lineOf));
    const { failed } = await run(again);
    expect([failed, await countBooks()]).toEqual([0, before + 2 * RECORDS]);
  },
);
