import { Factories } from '../../factories/factories';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { freePort } from '../../../src/server/listen';
import { Workshop } from './programs';

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

/** A sample's value out of Prometheus' text; labels in their order. */
const valueOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

it('exposes requests by route template, rejections, the pool and the event loop, on a separate port', async () => {
  const book = await new Factories(opened.database).aBook();
  await opened.source.query(
    `INSERT INTO transfer_jobs (type, kind, path, from_cli, state, created_by)
     VALUES ('import', 'all', 'x', true, 'failed', 'ann'), ('import', 'book', 'y', true, 'failed', 'ann')`,
  );
  await opened.source.query(
    `INSERT INTO scheduled_tasks (name, last_succeeded_at)
     VALUES ('unused-pictures', to_timestamp(1700000000))`,
  );
  const port = await freePort();
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    METRICS_PORT: String(port),
    LIMIT_ANONYMOUS: '3',
  });
  const responses = [`/v2/book/${book}`, '/v2/book/1', '/v2/nothing/secret', '/v2/book/2'];
  for (const path of responses) await server.get(path);
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const text = await response.text();
  const requests = (labels: string) => valueOf(text, `commonplace_requests_total{${labels}}`);
  const route = 'method="GET",route="/v2/book/:id"';
  expect(requests(`${route},status="200",code="0"`)).toBe(1);
  expect(requests(`${route},status="404",code="6000"`)).toBe(1);
  expect(requests(`${route},status="429",code="112"`)).toBe(1);
  expect(requests('method="GET",route="none",status="404",code="1001"')).toBe(1);
  expect(text).not.toContain('secret');
  expect(valueOf(text, 'commonplace_limit_decisions_total{refused_by="none"}')).toBe(3);
  expect(valueOf(text, 'commonplace_limit_decisions_total{refused_by="address"}')).toBe(1);
  expect(valueOf(text, `commonplace_request_duration_seconds_count{${route}}`)).toBe(3);
  expect(valueOf(text, 'commonplace_database_connections{state="waiting"}')).toBe(0);
  expect(valueOf(text, 'commonplace_jobs{type="import",state="failed"}')).toBe(2);
  expect(valueOf(text, 'commonplace_jobs{type="export",state="running"}')).toBe(0);
  const lastSuccess = 'commonplace_task_last_success_timestamp_seconds';
  expect(valueOf(text, `${lastSuccess}{task="unused-pictures"}`)).toBe(1_700_000_000);
  expect(valueOf(text, 'nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
  expect((await fetch(`http://127.0.0.1:${port}/v2/book/${book}`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
  expect((await server.get('/metrics'))[0]).toBe(404);
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
});

it('reports in one sentence that the port is in use', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url });
  const ended = await workshop.serveInVain({
    DATABASE_URL: opened.url,
    METRICS_PORT: String(server.port),
  });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `commonplace: Port ${server.port} is in use: set METRICS_PORT to another one.\n`,
  );
});
