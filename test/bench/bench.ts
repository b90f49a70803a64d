import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { LIMIT_NAMES } from '../../src/config/limit-settings';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { syntheticBooks } from '../../src/import-export/synthetic/synthetic';
import { casesOf, tokenOf, type Case, type Volume } from './cases';
import { type Load } from './load';
import { ADVANCE_TOKEN, movieCasesOf, movieVolumeIn, type MovieVolume } from './movie-cases';
import { measure, residentOf, runScript, startServer, stopServer, type Served } from './processes';
import { checkSearch } from './search-check';

const BOOKS = Number(process.env.BENCH_BOOKS ?? 100_000);
const USERS = 1000;
const COLLECTIONS = Number(process.env.BENCH_COLLECTIONS ?? 100_000);
const EVENTS = Number(process.env.BENCH_EVENTS ?? 100_000);
const PARTICIPATIONS = Number(process.env.BENCH_PARTICIPATIONS ?? 1_000_000);
/** Films; as many celebrities, four credits and two photos, reviews and comments of each. */
const FILMS = Number(process.env.BENCH_FILMS ?? 50_000);
/** Part of the names of cases that are measured; all of them when empty. */
const ONLY = process.env.BENCH_ONLY ?? '';
/** Everything that is measured on, as the command takes it. */
const VOLUME = Object.entries({
  books: BOOKS,
  users: USERS,
  collections: COLLECTIONS,
  subjects: FILMS,
  celebrities: FILMS,
  credits: FILMS * 4,
  photos: FILMS * 2,
  'movie-reviews': FILMS * 2,
  'movie-comments': FILMS * 2,
  events: EVENTS,
  participations: PARTICIPATIONS,
  seed: 1,
}).flatMap(([name, count]) => [`--${name}`, String(count)]);
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const TITLES = 200;
const PORT = 3961;
const BARE_PORT = 3962;

interface Row {
  readonly name: string;
  readonly server: Load;
  readonly bare: Load;
  readonly ratio: number;
  readonly met: boolean;
}

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: string;
  readonly met: boolean;
}

/** Calls are counted, as they are in earnest, and never refused. */
const LIMITS = {
  ...Object.fromEntries(LIMIT_NAMES.map((name) => [name, '1000000000'])),
  CAPTCHA_AFTER: '1000000000',
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const medianLoad = (loads: readonly Load[]): Load => ({
  rate: median(loads.map(({ rate }) => rate)),
  p50: median(loads.map(({ p50 }) => p50)),
  p95: median(loads.map(({ p95 }) => p95)),
  failed: loads.reduce((sum, { failed }) => sum + failed, 0),
});

const server = (env: Record<string, string>): Promise<Served> =>
  startServer('src/main.js', [], { ...env, ...LIMITS, PORT: String(PORT) }, 'serves on');

/** Start time and memory, on an empty folder and then on what it left there. */
async function measureStart(folder: string, figures: Figure[]): Promise<void> {
  const env = { DATA_DIR: join(folder, 'start') };
  const first = await server(env);
  await stopServer(first);
  const later = await server(env);
  const rest = residentOf(later);
  await stopServer(later);
  const seconds = (ms: number): number => ms / 1000;
  figures.push(
    figure('first start to ready', seconds(first.ready), 's', 15, 'most'),
    figure('later start to ready', seconds(later.ready), 's', 4, 'most'),
    figure('memory at rest', rest, 'MB', 180, 'most'),
  );
}

function figure(
  name: string,
  value: number,
  unit: string,
  limit: number,
  side: 'most' | 'least',
): Figure {
  const met = side === 'most' ? value <= limit : value >= limit;
  return { name, value, unit, limit: `at ${side} ${limit}`, met };
}

/** Writes the synthetic books to a file and lets the command line import it. */
async function measureImport(folder: string, env: Record<string, string>): Promise<Figure> {
  const file = join(folder, 'books.ndjson');
  const output = createWriteStream(file);
  for (const line of syntheticBooks({ books: BOOKS, users: USERS, collections: 0, seed: 1 })) {
    if (!output.write(line)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
  const began = performance.now();
  await runScript('src/cli.js', ['import', 'book', file], env);
  const seconds = (performance.now() - began) / 1000;
  await rm(file);
  return figure('import', BOOKS / seconds, 'books/s', 3000, 'least');
}

async function volumeIn(url: string): Promise<Volume & { movies: MovieVolume }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ isbn13: string; title: string }>(
    'SELECT isbn13, title FROM books WHERE id >= 100000000 ORDER BY md5(id::text) LIMIT 2000',
  );
  const movies = await movieVolumeIn(client);
  // What autovacuum would do in its own time must not happen while something is measured.
  await client.query('VACUUM ANALYZE');
  await client.end();
  return {
    books: BOOKS,
    events: EVENTS,
    users: USERS,
    collections: COLLECTIONS,
    firstBook: 100_000_000,
    isbns: rows.map(({ isbn13 }) => isbn13),
    titles: rows.map(({ title }) => title),
    movies,
  };
}

async function issueToken(env: Record<string, string>): Promise<{ token: string; user: number }> {
  const cli = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await runScript('src/cli.js', args, env)) as Record<string, unknown>;
  const user = await cli('user', 'create', '--uid', 'bench', '--name', 'Bench');
  const app = await cli('app', 'create', '--name', 'bench', '--level', 'L3');
  const args = [
    '--app',
    String(app.client_id),
    '--user',
    'bench',
    '--scopes',
    'book_basic_r,movie_basic_r,event_basic_r',
  ];
  const issued = await cli('token', 'issue', ...args);
  return { token: String(issued.access_token), user: Number(user.id) };
}

/** Lets every synthetic user have a token, known to both servers. */
async function issueTokens(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const users = Array.from({ length: USERS }, (_, user) => user);
  await client.query(
    `INSERT INTO access_tokens (hash, application_id, user_id, scopes, expires_at)
     SELECT t.hash, a.id, 200000000 + t.user_no, '{book_basic_w}', now() + interval '1 day'
     FROM unnest($1::bytea[], $2::int[]) AS t(hash, user_no), applications a WHERE a.name = 'bench'`,
    [users.map((user) => createHash('sha256').update(tokenOf(user)).digest()), users],
  );
  await client.query(
    `WITH advanced AS (
       UPDATE applications SET scopes = scopes || '{movie_advance_r}'::text[] WHERE name = 'bench'
       RETURNING id)
     INSERT INTO access_tokens (hash, application_id, user_id, scopes, expires_at)
     SELECT $1, id, 200000000, '{movie_advance_r}', now() + interval '1 day' FROM advanced`,
    [createHash('sha256').update(ADVANCE_TOKEN).digest()],
  );
  await client.end();
}

async function measureCase(one: Case, token: string): Promise<Row> {
  const { clients, paths, name, collects } = one;
  const ours: Load[] = [];
  const theirs: Load[] = [];
  const run = (port: number, seconds: number): Promise<Load> =>
    measure({
      origin: `http://127.0.0.1:${port}`,
      token: one.token ?? token,
      clients,
      seconds,
      paths,
      collects,
    });
  await run(PORT, 1);
  await run(BARE_PORT, 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await run(PORT, SECONDS));
    theirs.push(await run(BARE_PORT, SECONDS));
  }
  const [load, bare] = [medianLoad(ours), medianLoad(theirs)];
  const ratio = load.rate / bare.rate;
  const met =
    load.failed === 0 &&
    (one.ratio === undefined || ratio >= one.ratio) &&
    (one.p95 === undefined || load.p95 <= one.p95);
  return { name, server: load, bare, ratio, met };
}

function printRow({ name, server: ours, bare, ratio, met }: Row): void {
  const rate = (load: Load): string => load.rate.toFixed(0).padStart(7);
  const ms = (value: number): string => value.toFixed(1).padStart(7);
  say(
    `${name.padEnd(30)}${rate(ours)}/s${rate(bare)}/s   ${ratio.toFixed(2)}  ` +
      `${ms(ours.p50)}${ms(ours.p95)}  ${met ? '' : 'NOT MET'}`,
  );
}

function printFigure({ name, value, unit, limit, met }: Figure): void {
  const text = `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
  say(`${name.padEnd(30)}${text.padEnd(16)}${limit ?? ''}  ${met ? '' : 'NOT MET'}`);
}

async function measureServers(
  url: string,
  env: Record<string, string>,
  figures: Figure[],
): Promise<Row[]> {
  const { token, user } = await issueToken(env);
  await issueTokens(url);
  const volume = await volumeIn(url);
  const ours = await server(env);
  const bare = await startServer(
    'test/bench/bare.js',
    [url, String(BARE_PORT), String(user)],
    {},
    'is up',
  );
  try {
    const rows: Row[] = [];
    say(`\n${''.padEnd(30)}   server     bare  ratio     p50    p95 (ms)`);
    const cases = [...casesOf(volume), ...movieCasesOf(volume.movies)];
    for (const one of cases.filter(({ name }) => name.includes(ONLY))) {
      const row = await measureCase(one, token);
      printRow(row);
      rows.push(row);
    }
    figures.push(figure('memory after', residentOf(ours), 'MB', 400, 'most'));
    const origin = `http://127.0.0.1:${PORT}`;
    const check = await checkSearch(origin, volume.titles.slice(0, TITLES));
    say(`\nsearched for ${check.asked} parts of ${TITLES} titles`);
    for (const part of check.missed.slice(0, 10)) say(`  not found: ${part}`);
    figures.push(figure('titles missed', check.missed.length, 'parts', 0, 'most'));
    return rows;
  } finally {
    await stopServer(bare);
    await stopServer(ours);
  }
}

async function main(): Promise<void> {
  const json = process.argv.indexOf('--json');
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
  const figures: Figure[] = [];
  try {
    await measureStart(folder, figures);
    const dataDir = join(folder, 'load');
    const embedded = await openEmbedded({ dataDir });
    const env = { DATA_DIR: dataDir };
    figures.push(await measureImport(folder, env));
    await runScript('src/cli.js', ['synthetic', ...VOLUME], env);
    const rows = await measureServers(embedded.url, env, figures);
    say('');
    figures.forEach(printFigure);
    if (json > 0) {
      await writeFile(process.argv[json + 1] ?? 'bench.json', JSON.stringify({ rows, figures }));
    }
    await embedded.release();
    if (![...rows, ...figures].every(({ met }) => met)) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
