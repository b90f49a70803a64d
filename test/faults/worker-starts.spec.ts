import { execFileSync } from 'node:child_process';
import { childProcessesOf } from '../e2e/process/child-processes';
import { until, Workshop } from '../e2e/process/programs';
import { openTestDatabase, type TestDatabase } from '../harness';

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

/** Sets the soft limit of descriptors of a process: those that it has stay open. */
const limitDescriptors = (pid: number, limit: number): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
};

it('a worker that cannot be started is started later, and the server stops as usual', async () => {
  const server = await workshop.serve({ DATABASE_URL: opened.url, WORKERS: '2' });
  const { program } = server;
  const pid = program.child.pid ?? 0;
  const [killed = 0] = await childProcessesOf(pid);
  limitDescriptors(pid, 10);
  process.kill(killed, 'SIGKILL');
  const attempts = () => program.stdout.match(/EMFILE/g)?.length ?? 0;
  // Again and again.
  await until(() => Promise.resolve(attempts() >= 2));
  limitDescriptors(pid, 10_000);
  await until(async () => (await childProcessesOf(pid)).length === 2);
  await until(async () => (await fetch(`${server.origin}/readyz`)).status === 200);
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0 });
}, 120_000);
