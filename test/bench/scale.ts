import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client } from 'pg';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { FIRST_EVENT } from '../../src/import-export/synthetic/synthetic-events';
import { FIRST_SUBJECT } from '../../src/import-export/synthetic/synthetic-movies';
import { COMMON_PUBLISHER, COMMON_TAG } from '../../src/import-export/synthetic/synthetic';
import { load, withClient, type Site } from './database';
import { OWN_BUILD } from './processes';
import { explainCases, type PlanCost } from './scale-plans';
import { simulateShards } from './shards';
import { FIRST_BOOK, volumeFor, type Volume } from './volume';

const SAMPLES = 10;
const SEED = 1;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Figures of one size. */
interface SizeFigures {
  readonly books: number;
  readonly plans: readonly PlanCost[];
  /** Bytes of a row with its indexes and TOAST, by table. */
  readonly bytes: readonly {
    readonly table: string;
    readonly rows: number;
    readonly each: number;
  }[];
  readonly importPerSecond: number;
  readonly walPerCollection: number;
}

/** Requests of the cases, a few of each, spread over the records. */
async function casesFor(
  client: Client,
  { books, films, events, users }: Volume,
): Promise<{ name: string; paths: string[] }[]> {
  const at = (count: number, pathOf: (at: number) => string): string[] =>
    Array.from({ length: SAMPLES }, (_, sample) => pathOf(Math.floor((count * sample) / SAMPLES)));
  const { rows } = await client.query<{ id: string; title: string; isbn13: string }>(
    `SELECT id, title, isbn13 FROM books WHERE id = ANY($1::bigint[]) ORDER BY id`,
    [Array.from({ length: SAMPLES }, (_, n) => FIRST_BOOK + Math.floor((books * n) / SAMPLES))],
  );
  const q = encodeURIComponent;
  return [
    { name: 'book', paths: at(books, (n) => `/v2/book/${FIRST_BOOK + n}`) },
    { name: 'book by isbn', paths: rows.map(({ isbn13 }) => `/v2/book/isbn/${isbn13}`) },
    { name: 'tags of a book', paths: at(books, (n) => `/v2/book/${FIRST_BOOK + n}/tags`) },
    {
      name: 'annotations of a book',
      paths: at(books, (n) => `/v2/book/${FIRST_BOOK + n}/annotations`),
    },
    { name: 'search, a title', paths: rows.map(({ title }) => `/v2/book/search?q=${q(title)}`) },
    { name: 'search, a common term', paths: [`/v2/book/search?q=${q(COMMON_PUBLISHER)}`] },
    { name: 'search, a common tag', paths: [`/v2/book/search?tag=${q(COMMON_TAG)}`] },
    {
      name: 'collections of a user',
      paths: at(users, (n) => `/v2/book/user/synthetic${n}/collections`),
    },
    { name: 'film', paths: at(films, (n) => `/v2/movie/subject/${FIRST_SUBJECT + n}`) },
    { name: 'event', paths: at(events, (n) => `/v2/event/${FIRST_EVENT + n}`) },
    { name: 'events this week', paths: ['/v2/event/list?day_type=week'] },
    { name: 'participants', paths: at(events, (n) => `/v2/event/${FIRST_EVENT + n}/participants`) },
  ];
}

/** Bytes by table: what a row takes with its indexes, where there are enough rows. */
async function bytesOf(client: Client): Promise<SizeFigures['bytes']> {
  const { rows } = await client.query<{ table: string; rows: number; each: number }>(
    `SELECT c.relname AS table, c.reltuples::float8 AS rows,
       (pg_total_relation_size(c.oid) / c.reltuples)::float8 AS each
     FROM pg_class c WHERE c.relname IN ('books', 'collections', 'events', 'participations', 'subjects',
       'book_tags', 'event_participations') AND c.relkind = 'r' AND c.reltuples > 1000
     ORDER BY pg_total_relation_size(c.oid) DESC`,
  );
  return rows;
}

/** Bytes of the write-ahead log for an update of a collection, without full pages. */
async function walPerCollection(client: Client): Promise<number> {
  const count = 200;
  await client.query('CHECKPOINT');
  const update = async (): Promise<number> => {
    const { rows } = await client.query<{ lsn: string }>(
      'SELECT pg_current_wal_insert_lsn() AS lsn',
    );
    await client.query(
      `UPDATE collections SET comment = comment || '.' WHERE id IN
         (SELECT id FROM collections ORDER BY id LIMIT ${count})`,
    );
    const { rows: after } = await client.query<{ bytes: number }>(
      'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 AS bytes',
      [rows[0]?.lsn],
    );
    return (after[0]?.bytes ?? 0) / count;
  };
  // The first update of a page after a checkpoint logs the whole page.
  await update();
  return update();
}

async function measure(site: Site, folder: string, books: number): Promise<SizeFigures> {
  const volume = volumeFor(books, SEED);
  const { booksPerSecond } = await load(site, folder, volume);
  return withClient(site, async (client) => ({
    books,
    importPerSecond: booksPerSecond,
    bytes: await bytesOf(client),
    plans: await explainCases(site, await casesFor(client, volume)),
    walPerCollection: await walPerCollection(client),
  }));
}

function printFigures(all: readonly SizeFigures[]): void {
  const [least] = all;
  print(`\nPages read and milliseconds in PostgreSQL by request (${SAMPLES} requests each)`);
  const head = all.map(({ books }) => `${books} books`.padStart(22)).join('');
  print(`${'case'.padEnd(24)}${head}${'ratio'.padStart(8)}`);
  least?.plans.forEach(({ name, buffers }, at) => {
    const cells = all.map(({ plans }) => {
      const plan = plans[at];
      return `${plan?.buffers.toFixed(0)} / ${plan?.ms.toFixed(2)} ms`.padStart(22);
    });
    const last = all.at(-1)?.plans[at];
    const ratio = ((last?.buffers ?? 0) / Math.max(buffers, 1)).toFixed(2);
    print(`${name.padEnd(24)}${cells.join('')}${ratio.padStart(8)}`);
    print(`  ${last?.scans.join(', ')}`);
  });
  for (const { books, bytes, importPerSecond, walPerCollection: wal } of all) {
    print(`\n${books} books: imported ${importPerSecond.toFixed(0)} a second`);
    for (const { table, rows, each } of bytes) {
      print(`  ${table.padEnd(20)} ${rows} rows, ${each.toFixed(0)} bytes each`);
    }
    print(`  write-ahead log of an update of a collection: ${wal.toFixed(0)} bytes`);
  }
}

function printShards(): void {
  print('\nLoad of the busiest of N shards, as a multiple of the mean (Zipf, 1,000,000 items)');
  for (const { exponent, shards, busiest, hottestItem } of simulateShards(SEED)) {
    const share = (100 * hottestItem).toFixed(2);
    print(
      `exponent ${exponent}, ${shards} shards: ${busiest.toFixed(2)} (hottest item ${share} %)`,
    );
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { books: { type: 'string', default: '10000,100000' } } });
  const sizes = values.books.split(',').filter(Boolean).map(Number);
  printShards();
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-scale-'));
  const figures: SizeFigures[] = [];
  try {
    for (const books of sizes) {
      const dataDir = join(folder, String(books));
      const embedded = await openEmbedded({ dataDir });
      const env = { DATABASE_URL: embedded.url, DATA_DIR: dataDir };
      const site = { build: OWN_BUILD, url: embedded.url, postmaster: 0, env };
      try {
        figures.push(await measure(site, folder, books));
      } finally {
        await embedded.release();
      }
      await rm(dataDir, { recursive: true, force: true });
      // After each size, because the larger ones take long.
      printFigures(figures);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
