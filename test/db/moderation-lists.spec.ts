import { Client } from 'pg';
import { type Statement } from '../../src/database/database';
import { REPORTED_KINDS } from '../../src/moderation/reported-kinds';
import { ReportsRepository, type ReportState } from '../../src/moderation/reports.repository';
import { ModerationQueueService } from '../../src/moderation/moderation-queue.service';
import { type QueueState } from '../../src/moderation/queue-entry';
import { atScale } from '../figures';
import { openTestDatabase, type TestDatabase } from '../harness';
import { nodesOf, type ExplainRow, type PlanNode } from './query-plans';
import { vacuumAll } from './vacuum-all';

/** Entries of each table; one of twenty is open. */
const ENTRIES = atScale(500_000, 20_000);

let opened: TestDatabase;
let queue: ModerationQueueService;
let reports: ReportsRepository;
beforeAll(async () => {
  opened = await openTestDatabase();
  queue = new ModerationQueueService(opened.database);
  reports = new ReportsRepository(opened.database);
  await opened.source.query(`INSERT INTO users (uid, name)
    SELECT 'user' || n, 'x' FROM generate_series(1, 200) n`);
  const decision = (first: string, second: string): string =>
    `CASE WHEN n % 20 = 0 THEN NULL WHEN n % 20 < 16 THEN '${first}' ELSE '${second}' END`;
  const decided = 'CASE WHEN n % 20 = 0 THEN NULL ELSE now() END';
  await opened.source.query(`
    INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt, decision, decided_at)
    SELECT 'review', n, u.id, '{word}', repeat('text ', 80), ${decision('released', 'rejected')},
      ${decided}
    FROM generate_series(1, ${ENTRIES}) n JOIN users u ON u.uid = 'user' || (n % 200 + 1)`);
  await opened.source.query(`
    INSERT INTO reports (kind, target_id, user_id, reason, decision, decided_at)
    SELECT ('{${REPORTED_KINDS.join(',')}}'::text[])[n / 20 % ${REPORTED_KINDS.length} + 1], n, u.id,
      repeat('text ', 80),
      ${decision('dismissed', 'hidden')}, ${decided}
    FROM generate_series(1, ${ENTRIES}) n JOIN users u ON u.uid = 'user' || (n % 200 + 1)`);
  await vacuumAll(opened.source, ['moderation_queue', 'reports', 'users']);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await opened.close();
});

interface Plan extends PlanNode {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/**
 * The generic plan of the statement that `work` runs. A server uses generic plans after some
 * executions.
 */
async function planOf(work: () => Promise<unknown>): Promise<Plan> {
  const run = jest.spyOn(opened.database, 'query');
  await work();
  const [statement, values] = run.mock.calls[0] as [Statement, unknown[]];
  run.mockRestore();
  const client = new Client({ connectionString: opened.url });
  await client.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`;
    const { rows } = await client.query<ExplainRow<Plan>>(text, values);
    return (rows[0] as (typeof rows)[0])['QUERY PLAN'][0].Plan;
  } finally {
    await client.end();
  }
}

const page = { start: 0, count: 20 };
const TABLES = ['moderation_queue', 'reports'];

/** Holds a list to its index: nothing of the table is read but its page, and nothing is sorted. */
async function expectIndexed(index: string, work: () => Promise<unknown>): Promise<number> {
  const plan = await planOf(work);
  const nodes = nodesOf(plan);
  const whole = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && TABLES.includes(node['Relation Name'] ?? ''),
  );
  expect(whole).toEqual([]);
  expect(nodes.map((node) => node['Index Name'])).toContain(index);
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

describe('lists of queued texts', () => {
  it('that are open use the partial index of open entries', async () => {
    const blocks = await expectIndexed('moderation_queue_open', () => queue.list(page, 'open'));
    expect(blocks).toBeLessThan(ENTRIES / 50);
    expect(await queue.list(page, 'open')).toMatchObject({ total: ENTRIES / 20 });
  });

  it.each<QueueState>(['released', 'rejected'])('that are %s use an index', async (state) => {
    const blocks = await expectIndexed('moderation_queue_by_decision', () =>
      queue.list(page, state),
    );
    expect(blocks).toBeLessThan(ENTRIES / 50);
  });

  it('have the same rows as without an index', async () => {
    const all = await opened.source.query<{ id: number }[]>(
      `SELECT id::int AS id FROM moderation_queue WHERE decision = 'rejected' ORDER BY id`,
    );
    const { total, items } = await queue.list({ start: 40, count: 3 }, 'rejected');
    expect([total, items.map(({ id }) => id)]).toEqual([
      all.length,
      all.slice(40, 43).map(({ id }) => id),
    ]);
    expect(await queue.list({ start: 10 ** 6, count: 3 }, 'rejected')).toMatchObject({
      total: all.length,
      items: [],
    });
  });
});

describe('lists of reports', () => {
  it.each([
    ['open', undefined, 'reports_open'],
    ['open', 'note', 'reports_open_by_kind'],
    ['hidden', undefined, 'reports_by_state'],
    ['hidden', 'note', 'reports_by_kind'],
    ['dismissed', 'review', 'reports_by_kind'],
  ] as const)('that are %s, of kind %s, use the index %s', async (state, kind, index) => {
    const blocks = await expectIndexed(index, () => reports.list(state, kind, page));
    expect(blocks).toBeLessThan(ENTRIES / 50);
  });

  it('have the same rows as without an index', async () => {
    const states: readonly ReportState[] = ['open', 'hidden', 'dismissed'];
    for (const state of states) {
      for (const kind of [undefined, 'note', 'review'] as const) {
        const all = await opened.source.query<{ id: number }[]>(
          `SELECT id::int AS id FROM reports WHERE coalesce(decision, 'open') = $1
             AND ($2::text IS NULL OR kind = $2) ORDER BY id`,
          [state, kind ?? null],
        );
        const { total, items } = await reports.list(state, kind, { start: 5, count: 4 });
        expect([total, items.map(({ id }) => id)]).toEqual([
          all.length,
          all.slice(5, 9).map(({ id }) => id),
        ]);
      }
    }
  });

  it('that are open, by content, use the indexes of open reports', async () => {
    const list = () => reports.listReportedContent('open', page);
    const blocks = await expectIndexed('reports_open_by_target', list);
    expect(blocks).toBeLessThan(ENTRIES / 5);
    // Each report of the fixture is about another content.
    expect(await list()).toMatchObject({ total: ENTRIES / 20 });
  });

  it('about one subject use the index of open reports', async () => {
    const row = (await reports.list('open', undefined, page)).items[0];
    const find = () => reports.lockOpen(opened.database, row as NonNullable<typeof row>);
    const blocks = await expectIndexed('reports_open_by_target', find);
    expect(blocks).toBeLessThan(50);
  });
});
