import { join } from 'node:path';
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

it('a rejection that nothing handles is logged, and the server runs on', async () => {
  const server = await workshop.serve({
    DATABASE_URL: opened.url,
    NODE_OPTIONS: `--require ${join(__dirname, 'reject-on-signal.js')}`,
  });
  const { child } = server.program;
  child.kill('SIGUSR2');
  await until(() => Promise.resolve(server.program.stdout.includes('nothing handles this')));
  expect(await server.get('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
});
