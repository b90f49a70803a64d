import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { makeDataSource } from '../../src/database/data-source';
import { migrateUp } from '../../src/database/migrate';
import { readSettings } from '../../src/config/settings';
import { printCapacity } from './scale/capacity';
import { catalogueOf, FIRST } from './scale/catalogue';
import { casesFor } from './scale/cases';
import { generate, type Generated } from './scale/generate';
import { explainCases } from './scale/plans';
import { print, printFigures, printShards } from './scale/report';
import { bytesOf, walOfWrites, type SizeFigures } from './scale/sizes';

/** Opens the database of a size, migrates it, and generates what it lacks. */
async function withSize<T>(
  folder: string,
  books: number,
  work: (client: Client, url: string, generated: readonly Generated[]) => Promise<T>,
): Promise<T> {
  const dataDir = join(folder, `books-${books}`);
  await mkdir(dataDir, { recursive: true });
  const embedded = await openEmbedded({ dataDir });
  try {
    const settings = readSettings({ NODE_ENV: 'test', DATABASE_URL: embedded.url });
    const source = makeDataSource(settings, embedded.url, []);
    await source.initialize();
    await migrateUp(source);
    await source.destroy();
    const client = new Client({ connectionString: embedded.url });
    await client.connect();
    try {
      const generated = await generate(client, books, print);
      return await work(client, embedded.url, generated);
    } finally {
      await client.end();
    }
  } finally {
    await embedded.release();
  }
}

async function measure(folder: string, books: number, only: string): Promise<SizeFigures> {
  return withSize(folder, books, async (client, url, generated) => {
    const all = await casesFor(client, catalogueOf(books));
    const cases = all.filter(({ name }) => name.includes(only));
    return {
      ...{ books, generated, bytes: await bytesOf(client), wal: await walOfWrites(client) },
      plans: await explainCases(url, cases, FIRST + 1),
    };
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      books: { type: 'string', default: '10000,100000' },
      data: { type: 'string', default: 'scale-data' },
      only: { type: 'string', default: '' },
      generate: { type: 'boolean', default: false },
      shards: { type: 'boolean', default: false },
      capacity: { type: 'string', default: '' },
    },
  });
  if (values.shards) {
    printShards();
    return;
  }
  if (values.capacity !== '') {
    await printCapacity(values.capacity);
    return;
  }
  const folder = resolve(values.data);
  const figures: SizeFigures[] = [];
  for (const books of values.books.split(',').filter(Boolean).map(Number)) {
    if (values.generate) await withSize(folder, books, () => Promise.resolve());
    else figures.push(await measure(folder, books, values.only));
  }
  if (figures.length > 0) printFigures(figures);
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
