import { Factories } from '../../factories/factories';
import { startHarness, type Harness, type TestResponse } from '../../harness';
import { anAdministrator, type Administrator } from '../admin/administrators';
import { expectRefused, writer, type Writer } from './writes';

let harness: Harness;
let administrator: Administrator;
let reporter: Writer;
let user: number;
beforeAll(async () => {
  harness = await startHarness();
  const make = new Factories(harness.database);
  administrator = await anAdministrator(harness);
  reporter = await writer(harness, (await make.aUser()).id);
  user = (await make.aUser()).id;
});
afterAll(() => harness.close());

const report = (key: string): Promise<TestResponse> =>
  reporter.post(
    '/v2/report',
    { kind: 'user', id: user, reason: 'rude' },
    { 'Idempotency-Key': key },
  );
const openReports = async (): Promise<{ id: string }[]> =>
  (await administrator.get('/reports?kind=user')).body.reports;

it('a report whose response was lost is not made again with its key, also after a decision', async () => {
  expect((await report('lost')).status).toBe(201);
  const lost = `UPDATE idempotency_keys SET response = NULL, started_at = now() - interval '1 hour'
    WHERE key = 'lost'`;
  await harness.source.query(lost);
  const [made] = await openReports();
  const resolved = await administrator.post(`/reports/${made?.id}/resolve`, { action: 'dismiss' });
  expect(resolved.status).toBe(200);
  expectRefused(await report('lost'), 409, 999);
  expect(await openReports()).toEqual([]);
  // With another key, it is a new report.
  expect((await report('new')).status).toBe(201);
  expect(await openReports()).toHaveLength(1);
});
