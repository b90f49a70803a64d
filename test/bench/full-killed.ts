import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbedded } from '../../src/database/embedded/embedded';
import { Maker } from '../../src/import-export/synthetic/synthetic';
import { readManifest, type ManifestEntry } from '../../src/import-export/full/manifest';
import { makeFolder } from './folder';
import { runScript } from './processes';

const sizeOf = (name: string, usual: number): number => Number(process.env[name] ?? usual);

const BOOKS = sizeOf('BENCH_BOOKS', 100_000);
const FILMS = sizeOf('BENCH_FILMS', 20_000);
const COLLECTIONS = sizeOf('BENCH_COLLECTIONS', 100_000);
const NOTES = sizeOf('BENCH_NOTES', 10_000);
const EVENTS = sizeOf('BENCH_EVENTS', 10_000);
const KILLS = sizeOf('BENCH_KILLS', 10);
const SEED = sizeOf('BENCH_SEED', 1);

const VOLUME = Object.entries({
  ...{ books: BOOKS, users: 2000, collections: COLLECTIONS, subjects: FILMS },
  ...{ celebrities: Math.ceil(FILMS / 2), credits: FILMS * 3, photos: FILMS },
  ...{ 'movie-reviews': FILMS, 'movie-comments': FILMS, notes: NOTES, 'note-replies': NOTES * 2 },
  ...{ 'note-likes': NOTES * 2, events: EVENTS, participations: EVENTS * 4, seed: SEED },
}).flatMap(([name, count]) => [`--${name}`, String(count)]);

/** What a service gets by being administered: things removed, texts held, words and reports. */
const ADMINISTERED = [
  `UPDATE books SET deleted_at = now(), placeholder = true WHERE id % 100 = 0`,
  `DELETE FROM book_search WHERE book_id % 100 = 0`,
  `UPDATE subjects SET deleted_at = now() WHERE id % 100 = 0`,
  `DELETE FROM subject_search WHERE subject_id % 100 = 0`,
  `UPDATE celebrities SET deleted_at = now() WHERE id % 100 = 0`,
  `UPDATE events SET deleted_at = now() WHERE id % 100 = 0`,
  `UPDATE notes SET hidden = true WHERE id % 20 = 0`,
  `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at,
     decided_by)
   SELECT 'note', id, user_id, '{moon}', title, d, CASE WHEN d = 'rejected' THEN now() END,
     CASE WHEN d = 'rejected' THEN 'mo' END
   FROM notes, LATERAL (SELECT CASE WHEN id % 40 = 0 THEN 'rejected' END AS d) r
   WHERE hidden ORDER BY id`,
  `INSERT INTO reports (kind, target_id, user_id, reason)
   SELECT 'note', id, user_id, 'dull' FROM notes WHERE id % 10 = 1 ORDER BY id`,
];

const WORDS = Array.from({ length: 1000 }, (_, at) => `word${String.fromCodePoint(0x4e00 + at)}\n`);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(1);

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  say(`${what.padEnd(44)} ${secondsSince(began).padStart(7)} s`);
  return result;
}

/** A database of an embedded server, and how programs find it. */
interface Service {
  readonly client: Client;
  readonly env: Record<string, string>;
}

async function makeService(url: string, name: string, folder: string): Promise<Service> {
  const server = new Client({ connectionString: url });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  await server.end();
  const address = new URL(url);
  address.pathname = `/${name}`;
  const env = { DATABASE_URL: address.toString(), DATA_DIR: join(folder, name) };
  await runScript('src/cli.js', ['migrate', 'up'], env);
  const client = new Client({ connectionString: address.toString() });
  await client.connect();
  return { client, env };
}

/** Records that an import has noted down. */
async function recordsRead({ client }: Service): Promise<number> {
  const { rows } = await client.query<{ records: number | null }>(
    `SELECT sum((p ->> 'records')::int)::int AS records
     FROM transfer_jobs, jsonb_array_elements(progress) p`,
  );
  return rows[0]?.records ?? 0;
}

function startImport({ env }: Service, folder: string): ChildProcess {
  const cli = join(__dirname, '../../src/cli.js');
  return spawn(process.execPath, [cli, 'import', 'all', folder], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Imports, and is killed when a moment has come. @returns how far it was */
async function killAt(
  service: Service,
  folder: string,
  moment: number,
  later: number,
): Promise<number> {
  const child = startImport(service, folder);
  const ended = once(child, 'exit');
  while (child.exitCode === null && (await recordsRead(service)) < moment) await after(50);
  // Not just when something was noted down: anywhere in what comes next.
  await after(later);
  child.kill('SIGKILL');
  await ended;
  if (child.exitCode !== null) throw new Error(`the import ended before it was killed`);
  return recordsRead(service);
}

async function importKilled(target: Service, folder: string, total: number): Promise<void> {
  const make = new Maker(SEED + 99);
  // Not so late that the rest may be in before the signal is.
  const moments = Array.from({ length: KILLS }, () => make.below(Math.floor(total * 0.95)));
  for (const moment of moments.sort((one, other) => one - other)) {
    const began = performance.now();
    const records = await killAt(target, folder, moment, make.below(400));
    say(`  killed at ${String(records).padStart(9)} of ${total} after ${secondsSince(began)} s`);
  }
  const [code] = await once(startImport(target, folder), 'exit');
  if (code !== 0) throw new Error(`the last import ended with ${code}`);
}

function compare(one: readonly ManifestEntry[], other: readonly ManifestEntry[]): boolean {
  say('');
  say(`${'kind'.padEnd(16)} ${'records'.padStart(9)} ${'bytes'.padStart(12)}  SHA-256`);
  let same = one.length === other.length;
  for (const { kind, records, bytes, sha256, gz_sha256 } of one) {
    const again = other.find((entry) => entry.kind === kind);
    const equal = again?.sha256 === sha256 && again.gz_sha256 === gz_sha256;
    same &&= equal;
    const verdict = equal ? 'the same' : `DIFFERS: ${again?.sha256 ?? 'missing'}`;
    const sizes = `${String(records).padStart(9)} ${String(bytes).padStart(12)}`;
    say(`${kind.padEnd(16)} ${sizes}  ${sha256.slice(0, 16)} ${verdict}`);
  }
  return same;
}

async function main(): Promise<void> {
  const folder = await makeFolder();
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  try {
    const embedded = await openEmbedded({ dataDir: join(folder, 'data') });
    const source = await makeService(embedded.url, 'source', folder);
    const target = await makeService(embedded.url, 'target', folder);
    await timed('synthetic service', () =>
      runScript('src/cli.js', ['synthetic', ...VOLUME], source.env),
    );
    for (const sql of ADMINISTERED) await source.client.query(sql);
    const words = ['word', 'import', '-', '--action', 'hold'];
    await runScript('src/cli.js', words, source.env, WORDS.join(''));
    const exported = (to: string, { env }: Service) =>
      runScript('src/cli.js', ['export', 'all', '--out', to], env);
    await timed('export', () => exported(one, source));
    const before = await readManifest(one);
    const total = before.kinds.reduce((sum, { records }) => sum + records, 0);
    const what = `import of ${total} records, killed ${KILLS} times`;
    await timed(what, () => importKilled(target, one, total));
    await timed('export again', () => exported(two, target));
    const after = await readManifest(two);
    const same = compare(before.kinds, after.kinds) && before.hash === after.hash;
    say(same ? '\nEverything is the same.' : '\nNOT the same.');
    if (!same) process.exitCode = 1;
    await source.client.end();
    await target.client.end();
    await embedded.release();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
