import { openTestDatabase, type TestDatabase } from '../../harness';
import { until, Workshop } from './programs';

let workshop: Workshop;
let opened: TestDatabase;

beforeAll(async () => {
  workshop = await Workshop.open();
  opened = await openTestDatabase();
});

afterAll(async () => {
  await workshop.close();
  await opened.close();
});

const stateOfJob = async (): Promise<string | undefined> => {
  const rows = await opened.source.query<{ state: string }[]>('SELECT state FROM transfer_jobs');
  return rows[0]?.state;
};

it('ROLE=api leaves jobs to ROLE=jobs, which serves only probes', async () => {
  const env = { DATABASE_URL: opened.url, JOB_MEMORY_MB: '0' };
  await opened.source.query(
    `INSERT INTO transfer_jobs (type, kind, path, from_cli, state, created_by)
     VALUES ('import', 'book', 'missing.json', false, 'waiting', 'ann')`,
  );
  const api = await workshop.serve({ ...env, ROLE: 'api' });
  expect((await api.get('/v2/book/1'))[0]).toBe(404);
  expect((await api.get('/v2/book/1'))[1]).toMatchObject({ code: 6000 });
  expect(await stateOfJob()).toBe('waiting');

  const jobs = await workshop.serve({ ...env, ROLE: 'jobs' });
  await until(async () => (await stateOfJob()) === 'failed');
  expect((await jobs.get('/v2/book/1'))[1]).toMatchObject({ code: 1001 });
  expect((await fetch(`${jobs.origin}/service/developer`)).status).toBe(404);
  expect((await fetch(`${jobs.origin}/healthz`)).status).toBe(200);
  expect((await fetch(`${jobs.origin}/readyz`)).status).toBe(200);
  expect((await jobs.stop()).code).toBe(0);
});
