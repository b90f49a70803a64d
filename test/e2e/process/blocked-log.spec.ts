import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/server/listen';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { until, Workshop } from './programs';

const PROGRAM = [join(__dirname, 'typescript.js'), join(__dirname, '../../../src/main.ts')];
/** More than the logger writes at once. */
const REQUESTS = 200;

let opened: TestDatabase;
let workshop: Workshop;
const children: ChildProcess[] = [];
beforeAll(async () => {
  opened = await openTestDatabase();
  workshop = await Workshop.open();
});
afterAll(async () => {
  // A process that does not end fails its test before it is killed there.
  for (const child of children) child.kill('SIGKILL');
  await workshop.close();
  await opened.close();
});

/** A full pipe that nobody reads. @returns its file descriptor */
function fullPipe(): number {
  const path = join(workshop.folder, `pipe-${process.hrtime.bigint()}`);
  execFileSync('mkfifo', [path]);
  const filler = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const pipe = openSync(path, constants.O_RDWR);
  try {
    for (;;) writeSync(filler, 'x'.repeat(4096));
  } catch {
    // It is full.
  }
  closeSync(filler);
  return pipe;
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );

async function load(origin: string, child: ChildProcess): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return (await statusOf(`${origin}/readyz`)) === 200;
  });
  for (let request = 0; request < REQUESTS; request += 1) {
    expect(await statusOf(`${origin}/v2/book/999999999`)).toBe(404);
  }
}

/** A server whose log nobody reads, after requests whose lines do not fit into the pipe. */
async function withBlockedLog(
  settings: Record<string, string>,
  work: (child: ChildProcess) => Promise<void>,
): Promise<void> {
  const pipe = fullPipe();
  const port = await freePort();
  const child = spawn(process.execPath, PROGRAM, {
    cwd: workshop.folder,
    env: {
      ...process.env,
      ...{ DATABASE_URL: opened.url, PORT: String(port), LIMIT_ANONYMOUS: '0', ...settings },
    },
    stdio: ['ignore', pipe, pipe],
  });
  children.push(child);
  const ended = once(child, 'exit');
  try {
    await load(`http://127.0.0.1:${port}`, child);
    await work(child);
    // With SIGKILL, if a thread hangs in a write; the parent of such a worker ends with status 1.
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
    expect([0, 1, 'SIGKILL']).toContain(code ?? signal);
  } finally {
    child.kill('SIGKILL');
    await ended;
    closeSync(pipe);
  }
}

it.each([
  ['one process', {}],
  ['workers', { WORKERS: '2' }],
])(
  'a pipe of the log that nobody reads stops neither requests nor the end: %s',
  async (_, more) => {
    await withBlockedLog(more, (child) => {
      child.kill('SIGTERM');
      return Promise.resolve();
    });
  },
);
