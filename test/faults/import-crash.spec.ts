import { PassThrough } from 'node:stream';
import { type DataSource } from 'typeorm';
import { Database } from '../../src/database/database';
import { makeDataSource } from '../../src/database/data-source';
import { RecordHandlers } from '../../src/import-export/engine/handlers';
import { ImportService } from '../../src/import-export/engine/import.service';
import { ENTITIES } from '../../src/server/entities';
import { testSettings } from '../settings';
import { until } from './collectors';
import { Postgres } from './postgres';

/** More records than a batch has. */
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

const books = (first: number): string =>
  Array.from({ length: RECORDS }, (_, at) =>
    JSON.stringify({ id: String(first + at), title: `Book ${first + at}` }),
  ).join('\n') + '\n';

/** Number of books from an id on. */
async function countFrom(first: number): Promise<number> {
  const rows = await postgres.sql<{ books: number }>(
    `SELECT count(*)::int AS books FROM books WHERE id >= ${first}`,
  );
  return Number(rows[0]?.books);
}

it('fails if PostgreSQL crashes while it waits for records, because stored ones may be lost', async () => {
  const imports = new ImportService(new Database(source), new RecordHandlers());
  const input = new PassThrough();
  const importing = imports.import('book', 'books.json', input);
  const failure = expect(importing).rejects.toThrow('the connection to PostgreSQL was lost');
  input.write(books(1000));
  await until('a batch is stored', async () => (await countFrom(1000)) > 0);
  await postgres.crashSession();
  await postgres.ready();
  input.end(books(50_000));
  await failure;
  // The command is repeated.
  const again = new PassThrough();
  again.end(books(1000) + books(50_000));
  const { failed } = await imports.import('book', 'books.json', again);
  expect([failed, await countFrom(1000)]).toEqual([0, 2 * RECORDS]);
});
