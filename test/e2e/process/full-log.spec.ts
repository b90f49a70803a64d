import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/server/listen';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { until, Workshop } from './programs';

const PROGRAM = [join(__dirname, 'typescript.js'), join(__dirname, '../../../src/main.ts')];
/** More than the logger writes at once. */
const REQUESTS = 200;

let opened: TestDatabase;
let workshop: Workshop;
beforeAll(async () => {
  opened = await openTestDatabase();
  workshop = await Workshop.open();
});
afterAll(async () => {
  await workshop.close();
  await opened.close();
});

/** A server whose log is on a full disk. */
async function withFullLog(
  settings: Record<string, string>,
  work: (origin: string, child: ChildProcess) => Promise<void>,
): Promise<void> {
  const full = openSync('/dev/full', 'w');
  const port = await freePort();
  const child = spawn(process.execPath, PROGRAM, {
    cwd: workshop.folder,
    env: { ...process.env, DATABASE_URL: opened.url, PORT: String(port), ...settings },
    stdio: ['ignore', full, full],
  });
  const ended = once(child, 'exit');
  closeSync(full);
  try {
    await work(`http://127.0.0.1:${port}`, child);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

it.each([
  ['one process', { LIMIT_ANONYMOUS: '0' }],
  ['workers', { LIMIT_ANONYMOUS: '0', WORKERS: '2' }],
])('a full disk of the log loses lines, not requests: %s', async (_, settings) => {
  await withFullLog(settings, async (origin, child) => {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
      return (await statusOf(`${origin}/readyz`)) === 200;
    });
    for (let request = 0; request < REQUESTS; request += 1) {
      expect(await statusOf(`${origin}/v2/book/999999999`)).toBe(404);
    }
  });
});
