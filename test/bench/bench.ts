import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { databaseOf } from './address';
import { casesOf } from './cases/cases';
import { type TargetName } from './cases/case';
import { load, withClient, type ImportCost, type Site } from './database';
import {
  importFigures,
  isMet,
  measureCommands,
  measureStarts,
  memoryFigures,
  READY,
  searchFigures,
  type Figure,
} from './figures';
import { makeFolder } from './folder';
import { startGenerator } from './load/load';
import { isSelected, printUsage, readOptions, type Options } from './options';
import { OWN_BUILD, startServer, stopServer, type Served } from './processes';
import { Rounds, type Row, type Server } from './rounds';
import { LIMITS, serviceScript } from './service';
import { isRowMet, isSlower, printFigure, printHead, printRow } from './table';
import { READER } from './tokens';
import { postmasterOf } from './usage';
import { readSample, volumeFor, type Volume } from './volume';

/**
 * Titles of books that are searched for by each of their parts, if there are at most
 * {@link MANY_BOOKS}; in proportion fewer of more books, because the results of short parts are
 * read to their ends.
 */
const TITLES = 50;
const MANY_BOOKS = 30_000;
const titlesOf = (books: number): number =>
  Math.max(2, Math.floor(TITLES * Math.min(1, MANY_BOOKS / books)));

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Figures of the service and of the build that it is compared with. */
interface Figures {
  readonly own: readonly Figure[];
  readonly against: readonly Figure[];
}

function printFigures({ own, against }: Figures): void {
  for (const figure of own) {
    printFigure(
      figure,
      against.find(({ name }) => name === figure.name),
    );
  }
}

/** Where the cases are measured. */
interface Places {
  /** The service's own build, then the other. */
  readonly sites: readonly [Site, ...Site[]];
  /** Address of the database of bare and Fastify, a copy of the service's. */
  readonly references: string;
}

/** Starts what a case is measured on; a server of the comparison that is not installed is left out. */
async function startServers(
  options: Options,
  { sites, references }: Places,
): Promise<Map<TargetName, Served>> {
  const servers = new Map<TargetName, Served>();
  const [own, against] = sites;
  servers.set('server', await startServer(serviceScript(own), READY));
  if (against) servers.set('against', await startServer(serviceScript(against), READY));
  const env = { BENCH_DATABASE_URL: references, BENCH_VIEWER: String(READER) };
  const reference = (name: string): Promise<Served> =>
    startServer({ script: `test/bench/reference/${name}.js`, env }, 'ready');
  servers.set('bare', await reference('bare'));
  if (!options.fastify) return servers;
  try {
    require.resolve('fastify');
  } catch {
    print('Fastify is not installed; it is not compared with.');
    return servers;
  }
  servers.set('fastify', await reference('fastify'));
  return servers;
}

async function measureCases(
  options: Options,
  volume: Volume,
  places: Places,
): Promise<{ rows: Row[]; last: Figures }> {
  const { sites } = places;
  const sample = await withClient(sites[0], readSample);
  const context = { ...options, volume, sample };
  const started = await startServers(options, places);
  const generator = startGenerator();
  try {
    const rounds = new Rounds(generator, options);
    const servers: Server[] = [...started].map(([name, { pid, port }]) => ({
      ...{ name, pid, port, postmaster: sites[0].postmaster },
    }));
    const rows: Row[] = [];
    for (const one of casesOf(context).filter(({ name }) => isSelected(options, name))) {
      const row = await rounds.measure(one, servers);
      printRow(row);
      rows.push(row);
    }
    const figuresOf = async (name: TargetName): Promise<Figure[]> => {
      const served = started.get(name);
      if (!served) return [];
      const titles = isSelected(options, 'titles')
        ? sample.bookTitles.slice(0, titlesOf(options.books))
        : [];
      return [...(await memoryFigures(served)), ...(await searchFigures(served, titles))];
    };
    return { rows, last: { own: await figuresOf('server'), against: await figuresOf('against') } };
  } finally {
    generator.stop();
    for (const served of started.values()) await stopServer(served);
  }
}

/** The other build, and nothing when there is none. */
function againstBuild({ against }: Options): string[] {
  if (against === undefined) return [];
  const build = resolve(against, 'dist');
  if (!existsSync(join(build, 'src/main.js'))) throw new Error(`no build in ${build}`);
  return [build];
}

async function measureAll(options: Options, folder: string): Promise<boolean> {
  const builds = [OWN_BUILD, ...againstBuild(options)];
  const volume = volumeFor(options.books, options.seed);
  const all: Figures[] = [];
  const collect = async (measure: (build: string, at: number) => Promise<Figure[]>) => {
    const [own = [], against = []] = await eachOf(builds, measure);
    all.push({ own, against });
    printFigures({ own, against });
  };
  printHead();
  if (isSelected(options, 'start')) {
    await collect((build, at) =>
      measureStarts(join(folder, `build${at}`), { script: 'src/main.js', build, env: LIMITS }),
    );
  }
  const dataDir = join(folder, 'data');
  const embedded = await openEmbedded({ dataDir });
  try {
    const postmaster = postmasterOf(dataDir);
    const sites = await eachOf(builds, async (build, at): Promise<Site> => {
      const url = await databaseOf(embedded.url, `bench${at}`);
      return { build, url, postmaster, env: { DATABASE_URL: url, DATA_DIR: dataDir } };
    });
    const costs = await eachOf(sites, (site): Promise<ImportCost> => load(site, folder, volume));
    await collect((_, at) => Promise.resolve(importFigures(costs[at] as ImportCost)));
    if (isSelected(options, 'command'))
      await collect((_, at) => measureCommands(sites[at] as Site));
    const places = {
      sites: sites as [Site, ...Site[]],
      references: await databaseOf(embedded.url, 'reference', 'bench0'),
    };
    const { rows, last } = await measureCases(options, volume, places);
    await collect((_, at) => Promise.resolve([...(at === 0 ? last.own : last.against)]));
    if (options.json !== undefined) {
      await writeFile(options.json, JSON.stringify({ options, volume, rows, figures: all }));
    }
    const figures = all.flatMap(({ own }) => own);
    const met = rows.every((row) => row.correct && isRowMet(row) && !isSlower(row));
    return met && figures.every(isMet);
  } finally {
    await embedded.release();
  }
}

/** Does work for each value, one after the other. */
async function eachOf<T, R>(values: readonly T[], work: (value: T, at: number) => Promise<R>) {
  const results: R[] = [];
  for (const [at, value] of values.entries()) results.push(await work(value, at));
  return results;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') return printUsage();
  if (options === 'list') {
    const sample = { bookTitles: [], filmTitles: [], commonCharacter: '' };
    const context = { volume: volumeFor(2000, 1), sample, seed: 1, rounds: 1 };
    print(['start', 'command', ...casesOf(context).map(({ name }) => name), 'titles'].join('\n'));
    return;
  }
  const { books, seed, rounds, seconds } = options;
  print(
    `Node ${process.version}, ${cpus().length} CPUs, ${books} books, seed ${seed}, ` +
      `${rounds} rounds of ${seconds} s`,
  );
  const folder = await makeFolder();
  try {
    if (!(await measureAll(options, folder))) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
