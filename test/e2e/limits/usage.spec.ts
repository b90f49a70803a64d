import { RequestReportsRepository } from '../../../src/limits/request-reports.repository';
import { UsageService } from '../../../src/limits/usage.service';
import { UsageSweeper } from '../../../src/limits/usage.sweeper';
import { startHarness, type Harness } from '../../harness';
import { until, Workshop } from '../process/programs';
import { anApikey, limited, OPEN } from './callers';

const settings = { LIMIT_USER_L1: '3', LIMIT_APIKEY: '100' };
let harness: Harness;
let usage: UsageService;
beforeEach(async () => {
  harness = await startHarness({ root: limited, settings });
  usage = harness.app.get(UsageService, { strict: false });
});
afterEach(() => harness.close());

const newest = async (): Promise<number> => {
  const [{ id }] = await harness.source.query(
    'SELECT id::int FROM applications ORDER BY id DESC LIMIT 1',
  );
  return id;
};

it('has the requests of an application by day, with rejections and the peak', async () => {
  const token = await harness.token();
  const id = await newest();
  for (let call = 0; call < 5; call += 1) await harness.call(OPEN, { token });
  await harness.call('/v2/nowhere', { token });
  await usage.flush();
  const days = await usage.usageOf(id);
  expect(days).toEqual([
    { day: expect.any(String), requests: 6, rejected: 3, peak: 3, peakLimit: 3 },
  ]);
  const [{ today }] = await harness.source.query('SELECT now()::date::text AS today');
  expect(days[0]?.day).toBe(today);
});

it('is added to existing rows, and includes premium requests and keys', async () => {
  const token = await harness.token({ scopes: ['movie_premium_r'] });
  const id = await newest();
  await harness.call('/v2/probe/tier/premium', { token });
  await usage.flush();
  const [first] = await usage.usageOf(id);
  expect(first).toMatchObject({ requests: 1, rejected: 0, peak: 0, peakLimit: 0 });
  const key = await anApikey(harness);
  for (let call = 0; call < 4; call += 1) await harness.call(`${OPEN}?apikey=${key}`);
  await harness.call('/v2/probe/tier/premium', { token });
  await usage.flush();
  expect(await usage.usageOf(id)).toMatchObject([{ requests: 2, rejected: 0 }]);
  const keyed = await newest();
  expect(await usage.usageOf(keyed)).toMatchObject([{ requests: 4, peak: 4, peakLimit: 100 }]);
});

it('is written with one statement for any number of applications', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => anApikey(harness)));
  for (const key of keys) await harness.call(`${OPEN}?apikey=${key}`);
  const statements: string[] = [];
  await usage.flush();
  for (const key of keys) await harness.call(`${OPEN}?apikey=${key}`);
  harness.database.onStatement = (name) => statements.push(name);
  await usage.flush();
  await usage.flush();
  expect(statements).toEqual(['limits.usage.add']);
  const [{ n }] = await harness.source.query(
    'SELECT count(*)::int AS n FROM application_usage WHERE requests = 2',
  );
  expect(n).toBe(20);
});

it('uses days in TIME_ZONE, covers 30 days and is deleted after 31', async () => {
  await harness.token();
  const id = await newest();
  await harness.source.query(
    `INSERT INTO application_usage
     SELECT $1, date_trunc('day', now()) - make_interval(days => back) + hour, 1, 1, peak, 50
     FROM (VALUES (0, interval '0', 1), (1, interval '0', 7), (1, interval '23 hours', 5),
       (29, interval '1 hour', 2), (30, interval '23 hours', 9), (32, interval '0', 9))
       AS rows (back, hour, peak)`,
    [id],
  );
  const day = async (back: number): Promise<string> => {
    const [row] = await harness.source.query(`SELECT (now()::date - $1::int)::text AS day`, [back]);
    return row.day;
  };
  expect(await usage.usageOf(id)).toEqual([
    { day: await day(29), requests: 1, rejected: 1, peak: 2, peakLimit: 50 },
    { day: await day(1), requests: 2, rejected: 2, peak: 7, peakLimit: 50 },
    { day: await day(0), requests: 1, rejected: 1, peak: 1, peakLimit: 50 },
  ]);
  await harness.app.get(UsageSweeper, { strict: false }).run(new AbortController().signal);
  const [{ n }] = await harness.source.query(
    `SELECT count(*)::int AS n FROM application_usage WHERE hour < now() - interval '31 days'`,
  );
  expect(n).toBe(0);
});

it('is kept in memory while it cannot be written', async () => {
  const token = await harness.token();
  const id = await newest();
  await harness.call(OPEN, { token });
  await harness.source.query('ALTER TABLE application_usage RENAME TO elsewhere');
  await usage.flush();
  await harness.call(OPEN, { token });
  await harness.source.query('ALTER TABLE elsewhere RENAME TO application_usage');
  await usage.flush();
  expect(await usage.usageOf(id)).toMatchObject([{ requests: 2, peak: 2 }]);
});

it('of a deleted application does not block that of the others', async () => {
  const gone = await harness.token();
  await harness.call(OPEN, { token: gone });
  await harness.source.query('DELETE FROM applications');
  const token = await harness.token();
  await harness.call(OPEN, { token });
  await usage.flush();
  expect(await usage.usageOf(await newest())).toMatchObject([{ requests: 1 }]);
});

it('is written every few seconds, and at shutdown', async () => {
  const workshop = await Workshop.open();
  try {
    const key = await anApikey(harness);
    const id = await newest();
    const server = await workshop.serve({ DATABASE_URL: harness.url });
    const path = `${server.origin}/v2/openapi.json?apikey=${key}`;
    for (let call = 0; call < 2; call += 1) expect((await fetch(path)).status).toBe(200);
    await until(async () => (await usage.usageOf(id))[0]?.requests === 2);
    expect((await fetch(path)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(await usage.usageOf(id)).toMatchObject([{ requests: 3, rejected: 0 }]);
    const reports = harness.app.get(RequestReportsRepository, { strict: false });
    expect((await reports.findReport(id)).operations).toEqual([
      { operation: 'GET /v2/openapi.json', requests: 3, failed: 0, rejected: 0 },
    ]);
  } finally {
    await workshop.close();
  }
});
