import { type Client } from 'pg';
import { checkCollectionCounts } from '../../../src/books/collection-counts';
import { checkListCounts } from '../../../src/database/list-counts';
import { type SqlExecutor, type Statement } from '../../../src/database/statement';
import { checkEventCounts } from '../../../src/events/event-counts';
import { checkParticipationCounts } from '../../../src/events/participation-counts';
import { copyIn, CopyRows } from '../../../src/database/copy-in';
import { catalogueOf, FIRST, type Catalogue } from './catalogue';
import { TABLES } from './rows';
import { type TableRows } from './table-rows';

const ROWS_PER_COPY = 10_000;

/** Rows of a table that `generate` has stored, and how long it took. */
export interface Generated {
  readonly table: string;
  readonly rows: number;
  readonly seconds: number;
}

// Constraints and triggers are off, and indexes that no constraint needs are built afterwards.
const SESSION = `SET session_replication_role = replica; SET synchronous_commit = off;
  SET maintenance_work_mem = '1GB'`;

const STATE = `
  CREATE SCHEMA IF NOT EXISTS bench;
  CREATE TABLE IF NOT EXISTS bench.generated (name text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS bench.indexes (name text PRIMARY KEY, of text NOT NULL,
    definition text NOT NULL)`;

/**
 * Fills an empty, migrated database. A run after an interruption continues with the next table or
 * index.
 *
 * @param report is called after each table and index
 */
export async function generate(
  client: Client,
  books: number,
  report: (line: string) => void,
): Promise<Generated[]> {
  const catalogue = catalogueOf(books);
  await client.query(STATE);
  await client.query(SESSION);
  const all: Generated[] = [];
  for (const rows of TABLES) {
    if (await isDone(client, rows.table)) continue;
    const generated = await fill(client, rows, catalogue);
    const rate = (generated.rows / Math.max(generated.seconds, 0.001)).toFixed(0);
    report(`${rows.table}: ${generated.rows} rows, ${rate} a second`);
    all.push(generated);
  }
  await buildIndexes(client, report);
  if (!(await isDone(client, 'counters'))) {
    const began = performance.now();
    await client.query('BEGIN');
    for (const statement of COUNTERS) await client.query(statement);
    await setDone(client, 'counters');
    await client.query('COMMIT');
    report(`counters: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  const counted = !(await isDone(client, 'precomputed counts'));
  if (counted) {
    const began = performance.now();
    await countRows(client);
    await setDone(client, 'precomputed counts');
    report(`precomputed counts: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  if (counted || !(await isDone(client, 'vacuum'))) {
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await setDone(client, 'vacuum');
  }
  return all;
}

/** Fills the tables of precomputed counts, which triggers would have filled, as `recount` does. */
async function countRows(client: Client): Promise<void> {
  const executor: SqlExecutor = {
    query: async <T>({ text }: Statement, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as T[],
  };
  for (const check of [
    checkCollectionCounts,
    checkEventCounts,
    checkListCounts,
    checkParticipationCounts,
  ])
    await check(executor, { repair: true });
  await client.query(ADD_LARGE_COLLECTORS);
}

// As an insertion does for users with more than 1,000 collections.
const ADD_LARGE_COLLECTORS = `
  SELECT add_large_collectors(array_agg(user_id)) FROM (
    SELECT user_id FROM collection_counts k
    WHERE NOT EXISTS (SELECT FROM large_collectors l WHERE l.user_id = k.user_id)
    GROUP BY user_id HAVING sum(collections) > 1000) u`;

const charts = (): string[] =>
  ['top250', 'coming_soon', 'us_box', 'weekly', 'new_movies', 'in_theaters'].map((name) => {
    const [city, entries] = [
      name === 'in_theaters' ? String(FIRST) : 'NULL',
      name === 'top250' ? 250 : 30,
    ];
    return `WITH snapshot AS (INSERT INTO chart_snapshots (name, city_id, date)
        VALUES ('${name}', ${city}, current_date) RETURNING id)
      INSERT INTO chart_entries (snapshot_id, rank, subject_id)
      SELECT id, rank, ${FIRST} + rank FROM snapshot, generate_series(1, ${entries}) AS rank`;
  });

// Counters that the triggers would have kept.
const COUNTERS = [
  ...charts(),
  `INSERT INTO book_tag_counts (folded, books) SELECT folded, count(*) FROM book_tags GROUP BY folded`,
  `UPDATE notes t SET likes = l.n FROM (SELECT note_id, count(*) AS n FROM note_likes GROUP BY note_id) l
   WHERE l.note_id = t.id`,
  `UPDATE notes t SET replies = r.n FROM (SELECT note_id, count(*) AS n FROM note_replies
     GROUP BY note_id) r WHERE r.note_id = t.id`,
  `UPDATE subjects s SET comments_count = c.n FROM (SELECT subject_id, count(*) AS n
     FROM movie_comments GROUP BY subject_id) c WHERE c.subject_id = s.id`,
  `UPDATE subjects s SET reviews_count = c.n FROM (SELECT subject_id, count(*) AS n
     FROM movie_reviews GROUP BY subject_id) c WHERE c.subject_id = s.id`,
];

async function isDone(client: Client, name: string): Promise<boolean> {
  return (await client.query('SELECT FROM bench.generated WHERE name = $1', [name])).rowCount === 1;
}

async function setDone(client: Client, name: string): Promise<void> {
  await client.query('INSERT INTO bench.generated VALUES ($1) ON CONFLICT DO NOTHING', [name]);
}

async function fill(
  client: Client,
  { table, columns, rows }: TableRows,
  catalogue: Catalogue,
): Promise<Generated> {
  const began = performance.now();
  await client.query('BEGIN');
  await dropIndexes(client, table);
  const copy = `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
  let data = new CopyRows();
  let count = 0;
  let sent: Promise<void> = Promise.resolve();
  for (const row of rows(catalogue)) {
    data.add(row);
    count += 1;
    if (count % ROWS_PER_COPY > 0) continue;
    // The next rows are generated while the server stores these.
    await sent;
    sent = copyIn(client, copy, data, 0);
    data = new CopyRows();
  }
  await sent;
  if (!data.isEmpty) await copyIn(client, copy, data, 0);
  await setDone(client, table);
  await client.query('COMMIT');
  return { table, rows: count, seconds: (performance.now() - began) / 1000 };
}

/** Drops the indexes of a table that belong to no constraint, and notes their definitions. */
async function dropIndexes(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `INSERT INTO bench.indexes (name, of, definition)
     SELECT c.relname, $1::text, pg_get_indexdef(i.indexrelid) FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::text::regclass
       AND NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid)
     RETURNING name`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
}

async function buildIndexes(client: Client, report: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    // The slowest last.
    `SELECT name, definition FROM bench.indexes ORDER BY definition ~ 'text_ngrams', of, name`,
  );
  for (const { name, definition } of rows) {
    const began = performance.now();
    await client.query('BEGIN');
    await client.query(definition);
    await client.query('DELETE FROM bench.indexes WHERE name = $1', [name]);
    await client.query('COMMIT');
    report(`index ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
}
