import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomNumbers } from '../../src/import-export/synthetic/synthetic';
import { environment, Workshop } from '../e2e/process/programs';
import { atScale, figure } from '../figures';
import { copyCluster, thawServer } from './postgres';
import { eventually, processesWith } from './processes';

const ROOT = join(__dirname, '../..');
const RUNNER = join(ROOT, 'test/e2e/process/typescript.js');
const MAIN = join(ROOT, 'src/main.ts');

/** Ways to stop a server at some moment after its start. */
const WAYS = [
  { name: 'SIGTERM', signals: ['SIGTERM'] },
  { name: 'SIGTERM twice', signals: ['SIGTERM', 'SIGTERM'] },
  { name: 'SIGINT, then SIGTERM', signals: ['SIGINT', 'SIGTERM'] },
  { name: 'Ctrl-C', signals: ['SIGINT'], group: true },
  { name: 'a closed terminal', signals: ['SIGHUP'], group: true },
  { name: 'two servers at once', signals: ['SIGTERM'], servers: 2 },
  { name: 'two servers, each twice', signals: ['SIGTERM', 'SIGTERM'], servers: 2 },
  { name: 'a new database', signals: ['SIGTERM'], fresh: true },
  { name: 'a new database, Ctrl-C', signals: ['SIGINT'], group: true, fresh: true },
  { name: 'npm start, Ctrl-C', signals: ['SIGINT'], group: true, npm: true },
  { name: 'npm start, SIGTERM', signals: ['SIGTERM'], npm: true },
  { name: 'workers', signals: ['SIGTERM'], workers: true },
  { name: 'workers, a new database', signals: ['SIGTERM'], workers: true, fresh: true },
] as const satisfies readonly Way[];

interface Way {
  readonly name: string;
  readonly signals: readonly NodeJS.Signals[];
  /**
   * To every process of the group, as a terminal does; otherwise to the process that was started.
   */
  readonly group?: boolean;
  readonly servers?: number;
  readonly fresh?: boolean;
  readonly npm?: boolean;
  readonly workers?: boolean;
}

/** So many stops, some of them at once: 200, and one of the most telling ways each in `npm test`. */
const STOPS = atScale(200, 5);
const SMALL = [2, 3, 6, 9, 12];
const AT_ONCE = atScale(3, 4);
const SEED = jest.getSeed();

let workshop: Workshop;
/** Milliseconds from the start of a server until it serves. */
let startMs: number;

beforeAll(async () => {
  workshop = await Workshop.open();
  const npm = join(workshop.folder, 'npm');
  await mkdir(npm);
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const start = scripts.start.replaceAll('dist/src/main.js', `${RUNNER} ${MAIN}`);
  await writeFile(join(npm, 'package.json'), JSON.stringify({ scripts: { start } }));
});

afterAll(async () => {
  for (const { pid } of await processesWith(workshop.folder)) process.kill(pid, 'SIGKILL');
  await workshop.close();
});

function begin(dataDir: string, way: Way): ChildProcess {
  const [program, args, cwd] = way.npm
    ? ['npm', ['start'], join(workshop.folder, 'npm')]
    : [process.execPath, [RUNNER, MAIN], workshop.folder];
  const env = {
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    LAME_DUCK_SECONDS: '0',
    npm_config_update_notifier: 'false',
    ...(way.workers && { WORKERS: '2' }),
  };
  // In a group of its own, like what a shell starts.
  return spawn(program, args, { cwd, env: environment(env), detached: true, stdio: 'pipe' });
}

function send({ pid = 0 }: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  try {
    process.kill(group ? -pid : pid, signal);
  } catch (error) {
    // It may have ended at the first signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts and stops. Returns the processes that still run. */
async function stopOnce(dataDir: string, way: Way, random: () => number): Promise<string[]> {
  const children = Array.from({ length: way.servers ?? 1 }, () => begin(dataDir, way));
  const ended = children.map((child) => once(child, 'exit'));
  let output = '';
  for (const child of children) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
    }
  }
  const length = (way.npm ? 1.5 : 1.1) * (way.fresh ? 2 : 1) * startMs;
  await pause(random() * length);
  for (const signal of way.signals) {
    for (const child of children) send(child, signal, way.group ?? false);
    await pause(random() * 50);
  }
  await Promise.all(ended);
  const left = await processesWith(dataDir);
  return left.map(({ pid, command }) => `${pid} ${command}; it said: ${output}`);
}

it(`no process is left after ${STOPS} stops at random times`, async () => {
  const random = randomNumbers(SEED);
  const dataDirs = Array.from({ length: AT_ONCE }, (_, at) => join(workshop.folder, `data-${at}`));
  for (const dataDir of dataDirs) await copyCluster(dataDir);
  const before = performance.now();
  await Promise.all(
    dataDirs.map(async (DATA_DIR) => {
      await (await workshop.serve({ DATA_DIR })).stop();
    }),
  );
  startMs = performance.now() - before;
  expect(await processesWith(workshop.folder)).toEqual([]);

  const left: string[] = [];
  const stops = Array.from({ length: STOPS }, (_, at) => at);
  await Promise.all(
    dataDirs.map(async (dataDir) => {
      for (let at = stops.shift(); at !== undefined; at = stops.shift()) {
        const way: Way | undefined = WAYS[atScale(at % WAYS.length, SMALL[at] ?? 0)];
        if (!way) throw new Error('no such way');
        const place = way.fresh ? join(workshop.folder, `fresh-${at}`) : dataDir;
        const found = await stopOnce(place, way, random);
        left.push(...found.map((one) => `stop ${at}, ${way.name}, seed ${SEED}: ${one}`));
        for (const { pid } of await processesWith(place)) process.kill(pid, 'SIGKILL');
      }
    }),
  );
  expect(left).toEqual([]);
  figure(`stops that left a process (seed ${SEED})`, left.length, { atMost: 0 });
}, 1_800_000);

it('PostgreSQL stops although its server exits at a second signal while it waits for the start', async () => {
  const dataDir = join(workshop.folder, 'waiting');
  await copyCluster(dataDir);
  const child = begin(dataDir, { name: 'waiting', signals: [] });
  const ended = once(child, 'exit');
  let postmaster: number | undefined;
  await eventually('PostgreSQL is launched', async () => {
    const all = await processesWith(dataDir);
    postmaster = all.find(({ command }) => command.includes('listen_addresses'))?.pid;
    return postmaster !== undefined;
  });
  process.kill(Number(postmaster), 'SIGSTOP');
  // Signals within a second of the first one count as one.
  const signals = setInterval(() => {
    send(child, 'SIGTERM', false);
  }, 100);
  const [status] = (await ended) as [number | null];
  clearInterval(signals);
  expect(status).toBe(1);
  // If it had started before it was frozen, it was killed.
  thawServer([Number(postmaster)]);
  await eventually('no process is left', async () => (await processesWith(dataDir)).length === 0);
}, 180_000);
