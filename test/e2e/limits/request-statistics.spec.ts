import { Observers } from '../../../src/api/http/observer';
import { RequestReportsRepository } from '../../../src/limits/request-reports.repository';
import { RequestStatisticsService } from '../../../src/limits/request-statistics.service';
import { ApplicationsService } from '../../../src/oauth/applications.service';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';

let harness: Harness;
let statistics: RequestStatisticsService;
let reports: RequestReportsRepository;
beforeAll(async () => {
  harness = await startHarness({ settings: { LIMIT_APIKEY: '400' } });
  statistics = harness.app.get(RequestStatisticsService, { strict: false });
  reports = harness.app.get(RequestReportsRepository, { strict: false });
});
afterAll(() => harness.close());

interface App {
  readonly id: number;
  readonly clientId: string;
}

async function anApp(): Promise<App> {
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const { clientId } = await applications.create({ name: 'An app' });
  const [{ id }] = await harness.source.query(
    'SELECT id::int FROM applications WHERE client_id = $1',
    [clientId],
  );
  return { id, clientId };
}

/** Requests by operation and status of the last hours, written as `requests operation status`. */
async function allRequests(): Promise<string[]> {
  const rows: { line: string }[] = await harness.source.query(
    `SELECT sum(requests) || ' ' || operation || ' ' || status || ' ' || refused_by AS line
     FROM request_statistics GROUP BY operation, status, refused_by ORDER BY line`,
  );
  return rows.map(({ line }) => line.trim());
}

it('counts the requests of all lanes by operation, status and limit, with durations', async () => {
  const app = await anApp();
  const book = await new Factories(harness.database).aBook();
  const key = `apikey=${app.clientId}`;
  // From the database, and then from memory.
  for (let n = 0; n < 3; n += 1) await harness.call(`/v2/book/${book}?${key}`);
  await harness.call(`/v2/book/${book}`);
  await harness.call(`/v2/book/${book}?${key}`, { method: 'HEAD' });
  await harness.call(`/v2/book/${book}/collection?${key}`, { method: 'POST' });
  await harness.call(`/v2/nowhere/${book}?${key}`);
  await harness.call('/service/sign-in');
  await statistics.flush();
  expect(await allRequests()).toEqual([
    '1 * 404',
    '1 GET /service/sign-in 200',
    '1 POST /v2/book/:id/collection 403',
    '5 GET /v2/book/:id 200',
  ]);
  const [{ wrong }] = await harness.source.query(
    `SELECT count(*)::int AS wrong FROM request_statistics
     WHERE NOT (0 < max_milliseconds AND max_milliseconds <= milliseconds)`,
  );
  expect(wrong).toBe(0);
  expect(await reports.findReport(app.id)).toMatchObject({
    operations: [
      { operation: 'GET /v2/book/:id', requests: 4, failed: 0, rejected: 0 },
      { operation: '*', requests: 1, failed: 1, rejected: 0 },
      { operation: 'POST /v2/book/:id/collection', requests: 1, failed: 1, rejected: 0 },
    ],
    statuses: [
      { status: 200, requests: 4 },
      { status: 403, requests: 1 },
      { status: 404, requests: 1 },
    ],
    limits: [],
  });
});

it('keeps failed requests with id, operation, code and detail, and neither path nor query', async () => {
  const app = await anApp();
  const headers = { 'x-request-id': 'id-of-the-client' };
  await harness.call(`/v2/book/4711?apikey=${app.clientId}&fields=hidden`, { headers });
  // The application is known, although its credentials are rejected.
  const body = 'grant_type=refresh_token&refresh_token=hidden';
  await harness.call('/service/auth2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${body}&client_id=${app.clientId}&client_secret=hidden`,
  });
  const applications = harness.app.get(ApplicationsService, { strict: false });
  const { clientId } = app;
  const token = await applications.issue({ clientId, scopes: ['book_basic_r'], ttl: -1 });
  await harness.call('/v2/book/1', { token });
  await statistics.flush();
  const failures = await reports.listFailures(app.id);
  expect(failures).toMatchObject([
    { operation: 'GET /v2/book/:id', status: 401, code: 106, detail: '' },
    { operation: 'POST /service/auth2/token', status: 401, code: 116 },
    { operation: 'GET /v2/book/:id', status: 404, requestId: 'id-of-the-client' },
  ]);
  expect(JSON.stringify(failures)).not.toMatch(/4711|cpcs_/);
});

it('keeps the last 100 failures of each application', async () => {
  const [app, other] = [await anApp(), await anApp()];
  await harness.call(`/v2/book/0?apikey=${other.clientId}`);
  const stored = async (): Promise<number> => {
    const [{ n }] = await harness.source.query(
      'SELECT count(*)::int AS n FROM application_failures WHERE application_id = $1',
      [app.id],
    );
    return n;
  };
  for (const requests of [130, 60, 60]) {
    for (let n = 0; n < requests; n += 1) await harness.call(`/v2/book/0?apikey=${app.clientId}`);
    await statistics.flush();
    expect(await stored()).toBe(100);
  }
  expect(await reports.listFailures(other.id)).toHaveLength(1);
});

it('names the limit that rejected a request', async () => {
  const app = await anApp();
  const path = `/v2/book/0?apikey=${app.clientId}`;
  await harness.source.query('UPDATE applications SET limit_per_hour = 1 WHERE id = $1', [app.id]);
  for (let n = 0; n < 3; n += 1) await harness.call(path);
  await statistics.flush();
  expect(await reports.findReport(app.id)).toMatchObject({
    operations: [{ requests: 3, failed: 1, rejected: 2 }],
    limits: [{ refusedBy: 'application', requests: 2 }],
  });
});

it('counts the requests of a test key for the test key only', async () => {
  const [app, test] = [await anApp(), await anApp()];
  const ids = [test.id, app.id];
  await harness.source.query('UPDATE applications SET test_of = $2 WHERE id = $1', ids);
  const before = await allRequests();
  await harness.call(`/v2/book/0?apikey=${test.clientId}`);
  await statistics.flush();
  expect((await reports.findReport(test.id)).statuses).toEqual([{ status: 404, requests: 1 }]);
  expect(await allRequests()).toEqual(before);
});

it('loses no count when several processes write, or while nothing can be written', async () => {
  const app = await anApp();
  const second = new RequestStatisticsService(harness.database, new Observers());
  const caller = { hasToken: false, application: { id: app.id }, scopes: new Set<string>() };
  const finished = (service: RequestStatisticsService, status: number): void => {
    service.finished({ caller, id: 'id' } as never, status, 0.001);
  };
  for (let round = 0; round < 10; round += 1) {
    for (const status of [404, 200, 201, 200]) {
      finished(second, status);
      finished(statistics, status);
    }
    if (round === 5)
      await harness.source.query('ALTER TABLE request_statistics RENAME TO elsewhere');
    await Promise.all([second.flush(), statistics.flush()]);
    if (round === 5)
      await harness.source.query('ALTER TABLE elsewhere RENAME TO request_statistics');
  }
  expect((await reports.findReport(app.id)).statuses).toEqual([
    { status: 200, requests: 40 },
    { status: 201, requests: 20 },
    { status: 404, requests: 20 },
  ]);
});

it('counts a deleted application in all requests only', async () => {
  const app = await anApp();
  await harness.call(`/v2/book/0?apikey=${app.clientId}`);
  await harness.source.query('DELETE FROM applications WHERE id = $1', [app.id]);
  await statistics.flush();
  expect((await reports.findReport(app.id)).operations).toEqual([]);
});
