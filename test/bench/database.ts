import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  syntheticBooks,
  syntheticCollections,
  FIRST_USER,
} from '../../src/import-export/synthetic/synthetic';
import { finish, type Finished } from './processes';
import { ADVANCED_READER, FIRST_WRITER, READER, tokenOf, WRITERS } from './tokens';
import { treeCpuOf } from './usage';
import { type Volume } from './volume';

const CHART = 250;

/** A build with a database of its own. */
export interface Site {
  readonly build: string;
  readonly url: string;
  /** The environment of the build's server and commands. */
  readonly env: Record<string, string>;
  /** Process id of PostgreSQL. */
  readonly postmaster: number;
}

/** Cost of the import of all books. */
export interface ImportCost {
  /** Without the start of the command. */
  readonly booksPerSecond: number;
  /** CPU time in seconds of the command and of PostgreSQL. */
  readonly cpuSeconds: number;
  readonly postgresCpuSeconds: number;
  /** Peak memory of the command. */
  readonly peakMb: number;
}

/** Runs a command of a build. */
export const command = (
  { build, env }: Site,
  args: readonly string[],
  input?: { file: string },
): Promise<Finished> => finish({ script: 'src/cli.js', build, args, env }, input);

export async function withClient<T>(
  { url }: Site,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  const output = createWriteStream(file);
  for (const line of lines) if (!output.write(line)) await once(output, 'drain');
  output.end();
  await once(output, 'finish');
}

const syntheticVolume = (volume: Volume): Record<string, number> => ({
  users: volume.users,
  subjects: volume.films,
  celebrities: volume.celebrities,
  credits: volume.credits,
  photos: volume.photos,
  'movie-reviews': volume.reviews,
  'movie-comments': volume.comments,
  events: volume.events,
  participations: volume.participations,
  seed: volume.seed,
});

/** Imports the books from a file and measures it. */
async function importBooks(site: Site, folder: string, volume: Volume): Promise<ImportCost> {
  const [books, empty] = [join(folder, 'books.ndjson'), join(folder, 'empty.ndjson')];
  await writeLines(books, syntheticBooks(volume));
  await writeFile(empty, '');
  const nothing = await command(site, ['import', 'book', empty]);
  const before = treeCpuOf(site.postmaster);
  const { seconds, cpuMs, peakMb } = await command(site, ['import', 'book', books]);
  await rm(books);
  return {
    booksPerSecond: volume.books / Math.max(seconds - nothing.seconds, 0.001),
    cpuSeconds: (cpuMs - nothing.cpuMs) / 1000,
    postgresCpuSeconds: (treeCpuOf(site.postmaster) - before) / 1000,
    peakMb,
  };
}

/** Inserts the users of {@link READER} and the writers, and a token of each user. */
async function insertTokens(site: Site, { users }: Volume): Promise<void> {
  const writers = Array.from({ length: WRITERS }, (_, at) => FIRST_WRITER + at);
  const added = [READER, ADVANCED_READER, ...writers];
  const all = [...added, ...Array.from({ length: users }, (_, at) => FIRST_USER + at)];
  const scopes = 'book_basic_r,book_basic_w,movie_basic_r,movie_advance_r,event_basic_r';
  const create = ['app', 'create', '--name', 'bench', '--level', 'L3', '--scopes', scopes];
  await command(site, create);
  await withClient(site, async (client) => {
    await client.query(
      `INSERT INTO users (id, uid, name)
       SELECT id, 'bench' || id, 'Bench ' || id FROM unnest($1::bigint[]) AS t(id)`,
      [added],
    );
    await client.query(
      `INSERT INTO access_tokens (hash, application_id, user_id, scopes, expires_at)
       SELECT t.hash, a.id, t.user_id, CASE t.user_id
         WHEN ${READER} THEN '{book_basic_r,movie_basic_r,event_basic_r}'::text[]
         WHEN ${ADVANCED_READER} THEN '{movie_advance_r}'::text[]
         ELSE '{book_basic_r,book_basic_w}'::text[] END, now() + interval '1 day'
       FROM unnest($1::bytea[], $2::bigint[]) AS t(hash, user_id), applications a
       WHERE a.name = 'bench'`,
      [all.map((user) => createHash('sha256').update(tokenOf(user)).digest()), all],
    );
  });
}

/** A chart of the best films, and statistics that autovacuum would otherwise collect during a case. */
async function finishLoading(site: Site): Promise<void> {
  await withClient(site, async (client) => {
    await client.query(
      `WITH snapshot AS (
         INSERT INTO chart_snapshots (name, date) VALUES ('top250', '2000-01-01')
         ON CONFLICT DO NOTHING RETURNING id)
       INSERT INTO chart_entries (snapshot_id, rank, subject_id)
       SELECT snapshot.id, row_number() OVER (ORDER BY s.rating_average DESC, s.id), s.id
       FROM snapshot, (SELECT id, rating_average FROM subjects WHERE title <> ''
         ORDER BY rating_average DESC, id LIMIT ${CHART}) s`,
    );
    await client.query('VACUUM ANALYZE');
  });
}

/** Fills the database of a build with its own commands. */
export async function load(site: Site, folder: string, volume: Volume): Promise<ImportCost> {
  await command(site, ['migrate', 'up']);
  const cost = await importBooks(site, folder, volume);
  const flags = Object.entries(syntheticVolume(volume)).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  await command(site, ['synthetic', ...flags]);
  const collections = join(folder, 'collections.ndjson');
  await writeLines(collections, syntheticCollections(volume));
  await command(site, ['import', 'collection', collections]);
  await insertTokens(site, volume);
  await finishLoading(site);
  return cost;
}
