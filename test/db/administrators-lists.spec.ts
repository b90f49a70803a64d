import { Client, escapeLiteral } from 'pg';
import { BOOKS, CELEBRITIES, EVENTS, PHOTOS, SUBJECTS } from '../../src/admin/records/record-types';
import { RecordsService } from '../../src/admin/records/records.service';
import { type Page } from '../../src/api/resources/page';
import { AuditRepository } from '../../src/audit/audit.repository';
import { RecordHandlers } from '../../src/import-export/engine/handlers';
import { Database, type Statement } from '../../src/database/database';
import { type IdScan } from '../../src/database/id-scan';
import { ApplicationDetailsRepository } from '../../src/oauth/application-details.repository';
import { EventPagesRepository } from '../../src/events/event-pages.repository';
import { BookPagesRepository } from '../../src/books/book-pages.repository';
import { MoviePagesRepository } from '../../src/movies/movie-pages.repository';
import { NotePagesRepository } from '../../src/notes/note-pages.repository';
import { UserAccountsRepository } from '../../src/users/user-accounts.repository';
import { UserPagesRepository } from '../../src/users/user-pages.repository';
import { atScale, figure, FULL_SCALE } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';
import { nodesOf, type ExplainRow, type PlanNode } from './query-plans';

const ROWS = atScale(200_000, 8000);

/** A database that remembers the last statement. */
class Recording extends Database {
  last: { readonly what: Statement; readonly values: readonly unknown[] } | undefined;
  statements = 0;

  override query<T>(what: Statement, values: readonly unknown[] = []): Promise<T[]> {
    this.last = { what, values };
    this.statements += 1;
    return super.query<T>(what, values);
  }
}

let opened: TestDatabase;
let database: Recording;
let client: Client;

beforeAll(async () => {
  opened = await openTestDatabase();
  database = new Recording(opened.source);
  client = new Client({ connectionString: opened.url });
  await client.connect();
  const query = (sql: string) => client.query(sql.replaceAll(':rows', String(ROWS)));
  // Rows are as wide as those of people.
  await query(`INSERT INTO users (id, uid, name, signature, avatar, role, blocked_at)
    SELECT i, 'u' || i, CASE i WHEN 77 THEN 'Zoë 红楼梦 Quux' ELSE 'Name ' || i END,
      repeat('signature ', 10), 'https://example.org/' || repeat('avatar', 10),
      CASE WHEN i % 4000 = 5 THEN 'administrator' ELSE 'member' END,
      CASE WHEN i % 2000 = 7 THEN now() END
    FROM generate_series(1, :rows) i`);
  await query(`INSERT INTO applications (client_id, name, owner_id, level, scopes, redirect_uris)
    SELECT 'client' || i, CASE i WHEN 77 THEN 'Zebra 书架' ELSE 'App ' || i END, i, 'L1', '{book_basic_r}',
      ARRAY['https://example.org/' || repeat('callback', 20)]
    FROM generate_series(1, :rows) i`);
  await query(`INSERT INTO application_decisions (application_id, subject, state, actor)
    SELECT a.id, 'book_basic_r', s.state, 'x' FROM applications a
      JOIN (VALUES (1, 'asked'), (2, 'approved')) s(at, state)
        ON s.state = 'asked' AND a.id % 100 = 3 OR s.state = 'approved' AND a.id % 1000 <> 3
    ORDER BY s.at`);
  await query(`INSERT INTO audit_log (at, actor, action, target_kind, target_id, after)
    SELECT now() - (:rows - i) * interval '1 minute', 'actor' || i % 500,
      CASE WHEN i % 4000 = 9 THEN 'rare.action' ELSE 'action.' || i % 30 END,
      CASE WHEN i % 4000 = 9 THEN 'rare' ELSE 'kind' || i % 10 END, (i % 1000)::text,
      jsonb_build_object('title', repeat('title ', 30))
    FROM generate_series(1, :rows) i`);
  await query(`INSERT INTO celebrities (id, name, summary)
    SELECT i, CASE i WHEN 77 THEN 'Zoë 张国荣' ELSE 'Person ' || i END, repeat('summary ', 30)
    FROM generate_series(1, :rows) i`);
  await query('VACUUM ANALYZE');
  // A small table may cost least to read as a whole: what matters is what else there is.
  if (!FULL_SCALE) await query('SET enable_seqscan = off');
});

afterAll(async () => {
  await client.end();
  await opened.close();
});

interface Plan extends PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
}

/** Rows of tables that a plan read; entries of indexes alone do not count. */
const readBy = (nodes: readonly Plan[]): number =>
  nodes
    .filter((node) => /Scan$/.test(node['Node Type']) && node['Relation Name'] !== undefined)
    .filter((node) => node['Node Type'] !== 'Index Only Scan')
    .reduce((sum, node) => {
      const removed =
        (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      return sum + (node['Actual Rows'] + removed) * node['Actual Loops'];
    }, 0);

/** Runs after which PostgreSQL keeps a plan for all values where it thinks that good enough. */
const SETTLED = 6;

/** How the last statement is carried out: the first time, and when it is run again and again. */
async function plans(): Promise<Plan[][]> {
  const { what, values } = database.last as NonNullable<Recording['last']>;
  const execute = `EXECUTE one(${values.map((value) => escapeLiteral(String(value))).join(', ')})`;
  const plan = async (): Promise<Plan[]> => {
    const { rows } = await client.query<ExplainRow<Plan>>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
    );
    return nodesOf((rows[0] as (typeof rows)[0])['QUERY PLAN'][0].Plan);
  };
  await client.query(`PREPARE one AS ${what.text}`);
  const first = await plan();
  for (let run = 0; run < SETTLED; run += 1) await client.query(execute);
  const settled = await plan();
  await client.query('DEALLOCATE one');
  return [first, settled];
}

const PAGE = { start: 0, count: 20 };
const users = () => new UserAccountsRepository(database);
const applications = () => new ApplicationDetailsRepository(database);
const audit = () => new AuditRepository(database);
const records = () =>
  new RecordsService(database, database, new RecordHandlers(), undefined as never);

type Listing = () => Promise<Page<object>>;

const LISTS: [name: string, list: Listing, total: number | undefined][] = [
  ['users', () => users().list({}, PAGE), ROWS],
  ['users with a part of a name', () => users().list({ q: 'ë 红' }, PAGE), 1],
  ['users with a Chinese part', () => users().list({ q: '楼梦' }, PAGE), 1],
  ['users with a part in other case', () => users().list({ q: 'qUUX' }, PAGE), 1],
  ['users with a part of a uid', () => users().list({ q: `u${ROWS}` }, PAGE), 1],
  ['users with a part that none has', () => users().list({ q: 'ame 99x' }, PAGE), 0],
  ['administrators', () => users().list({ role: 'administrator' }, PAGE), ROWS / 4000],
  ['blocked users', () => users().list({ blocked: true }, PAGE), ROWS / 2000],
  ['blocked administrators', () => users().list({ role: 'administrator', blocked: true }, PAGE), 0],
  ['applications', () => applications().list({}, PAGE), ROWS],
  ['applications with a part', () => applications().list({ q: '书架' }, PAGE), 1],
  ['applications by id', () => applications().list({ q: 'client99' }, PAGE), 1],
  ['applications of a user', () => applications().list({ owner: 'u99' }, PAGE), 1],
  ['applications of nobody', () => applications().list({ owner: 'nobody' }, PAGE), 0],
  ['waiting applications', () => applications().list({ state: 'waiting' }, PAGE), ROWS / 1000],
  ['blocked applications', () => applications().list({ state: 'blocked' }, PAGE), 0],
  ['the log', () => audit().list({}, PAGE), ROWS],
  ['the log of an actor', () => audit().list({ actor: 'actor7' }, PAGE), ROWS / 500],
  ['the log of a rare action', () => audit().list({ action: 'rare.action' }, PAGE), ROWS / 4000],
  ['the log of a rare kind', () => audit().list({ kind: 'rare' }, PAGE), ROWS / 4000],
  ['the log of a thing', () => audit().list({ kind: 'kind7', id: '17' }, PAGE), ROWS / 1000],
  ['the log of an id', () => audit().list({ id: '17' }, PAGE), ROWS / 1000],
  ['the log of no action', () => audit().list({ action: 'none' }, PAGE), 0],
  [
    'the log of an hour',
    () => audit().list({ from: new Date(Date.now() - 3_600_000) }, PAGE),
    undefined,
  ],
  ['celebrities', () => records().list(CELEBRITIES, { state: 'visible' }, PAGE), ROWS],
  [
    'celebrities with a part',
    () => records().list(CELEBRITIES, { state: 'visible', q: '国荣' }, PAGE),
    1,
  ],
];

it.each<[string, Listing, number | undefined]>(LISTS)(
  '%s are listed by one statement without a sequential scan',
  async (name, list, total) => {
    database.statements = 0;
    const began = performance.now();
    const page = await list();
    figure(`list of ${name} among ${ROWS}: ms`, performance.now() - began, { atMost: 500 });
    expect(database.statements).toBe(1);
    if (total !== undefined) expect(page.total).toBe(total);
    expect(page.items).toHaveLength(Math.min(20, page.total));
    for (const nodes of await plans()) {
      const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
      expect(scanned.map((node) => node['Relation Name'])).toEqual([]);
      // Each match may be met when it is counted, chosen and shown.
      // Rows that have all pairs of a part, but not in its order, are looked at, too.
      const most = total === ROWS ? 100 : 4 * page.total + 100 + ROWS / 500;
      expect(readBy(nodes)).toBeLessThanOrEqual(most);
    }
  },
);

const books = () => new BookPagesRepository(database);
const movies = () => new MoviePagesRepository(database);
const SCANS: [name: string, scan: () => IdScan][] = [
  ['users', () => new UserPagesRepository(database).scanUsers()],
  ['celebrities', () => movies().scanCelebrities()],
  ['films', () => movies().scanSubjects()],
  ['books', () => books().scanBooks()],
  ['events', () => new EventPagesRepository(database).scanEvents()],
  ['notes', () => new NotePagesRepository(database).scanNotes()],
];

it.each(SCANS)('addresses of %s are read in the order of an index', async (_name, scan) => {
  const reads = [() => scan().listRows(50, 20), () => scan().findSpan(50, 20)];
  for (const read of reads) {
    await read();
    for (const nodes of await plans()) {
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
      expect(readBy(nodes)).toBeLessThanOrEqual(30);
    }
  }
});

it.each([
  ['books', BOOKS],
  ['films', SUBJECTS],
  ['events', EVENTS],
  ['photos', PHOTOS],
] as const)('%s can be searched in every state', async (_name, of) => {
  for (const state of ['visible', 'deleted', 'placeholder'] as const) {
    for (const q of ['红楼', 'x', '"\\%_', '!!']) {
      expect(await records().list(of, { state, q }, PAGE)).toMatchObject({ total: 0, items: [] });
    }
  }
});

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

it('lists read to the end by cursor return each row once, in the order of the pages', async () => {
  const cases: [number, Listing, () => AsyncIterable<object>][] = [
    [ROWS, () => users().list({}, { start: 1000, count: 100 }), () => users().scan({})],
    [ROWS, () => audit().list({}, { start: 1000, count: 100 }), () => audit().scan({})],
    [
      ROWS / 500,
      () => audit().list({ actor: 'actor7' }, PAGE),
      () => audit().scan({ actor: 'actor7' }),
    ],
    [1, () => users().list({ q: '红楼' }, PAGE), () => users().scan({ q: '红楼' })],
  ];
  for (const [total, list, scan] of cases) {
    database.statements = 0;
    const rows = await all(scan());
    expect(rows).toHaveLength(total);
    expect(database.statements).toBeLessThanOrEqual(total / 500 + 1);
    expect(database.last?.what.text).not.toMatch(/OFFSET/i);
    for (const nodes of await plans()) expect(readBy(nodes)).toBeLessThanOrEqual(1000 + 3 * 500);
    const page = await list();
    const shown = page.items.map((row) => {
      const { hit: _hit, total: _total, ...rest } = row as Record<string, unknown>;
      return rest;
    });
    expect(rows.slice(page.start, page.start + shown.length)).toEqual(shown);
  }
});
