import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCluster, finishMove } from '../../../src/database/embedded/cluster';
import { findPostmaster } from '../../../src/database/embedded/pid-file';
import { isAlive } from '../../../src/database/embedded/process';
import { replaceCluster } from '../../../src/database/embedded/restore';
import { copyCluster } from '../../faults/postgres';
import { type KilledRestore } from './killed-restore.program';

const RUNNER = join(__dirname, '../../e2e/process/typescript.js');
const PROGRAM = join(__dirname, 'killed-restore.program.ts');

let home: string;
let dataDir: string;
let outsideDir: string;

beforeEach(async () => {
  home = await mkdtemp(join(await realpath(tmpdir()), 'killed-'));
  await chmod(home, 0o755);
  dataDir = join(home, 'data');
  outsideDir = join(home, 'outside');
  for (const folder of [dataDir, outsideDir]) await mkdir(folder);
});

afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

/** Runs a restore in another process. @returns whether it was killed */
async function isKilled(options: Pick<KilledRestore, 'changes' | 'trialOf'>): Promise<boolean> {
  const args = [RUNNER, PROGRAM, JSON.stringify({ dataDir, outsideDir, ...options })];
  const [code, signal] = (await once(
    spawn(process.execPath, args, { stdio: 'inherit' }),
    'exit',
  )) as [number | null, NodeJS.Signals | null];
  expect(signal ?? code).toBe(signal ? 'SIGKILL' : 0);
  return signal !== null;
}

/** A restore that fails before its installation. */
const failedRestore = (): Promise<string> =>
  replaceCluster({ dataDir, outsideDir }, ({ path }) => Promise.resolve(path));

/** The contents of all clusters, also those that nothing uses. */
async function contents(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [dataDir, outsideDir]) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const content = readFile(join(folder, entry.name, 'content'), 'utf8');
      found.push(await content.catch(() => 'none'));
    }
  }
  return found.filter((content) => content !== 'none').sort();
}

async function createCluster(path: string): Promise<void> {
  await mkdir(path);
  await writeFile(join(path, 'content'), 'old');
}

it.each([
  ['in the data directory', () => createCluster(join(dataDir, 'postgres'))],
  [
    'outside the data directory',
    async () => {
      await createCluster(join(outsideDir, 'moved'));
      await symlink(join(outsideDir, 'moved'), join(dataDir, 'postgres'));
    },
  ],
  ['missing', () => Promise.resolve()],
])(
  'a killed installation loses no cluster and leaves no draft: previous one %s',
  async (_where, create) => {
    const seen = new Set<string>();
    for (let changes = 0; ; changes++) {
      for (const folder of [dataDir, outsideDir]) await rm(folder, { recursive: true });
      for (const folder of [dataDir, outsideDir]) await mkdir(folder);
      await create();
      const previous = await contents();
      if (!(await isKilled({ changes }))) break;
      await finishMove(dataDir);
      const cluster = await findCluster(dataDir);
      const used = cluster && (await readFile(join(cluster, 'content'), 'utf8'));
      seen.add(used ?? 'none');
      expect(used).toBe(used === 'new' ? 'new' : previous[0]);
      await failedRestore();
      expect(await contents()).toEqual(used === 'new' ? ['new', ...previous] : previous);
    }
    expect(seen.size).toBe(2);
  },
  120_000,
);

it('a restore stops the server that a killed restore has left running, and deletes its files', async () => {
  await copyCluster(join(home, 'source'));
  expect(await isKilled({ trialOf: join(home, 'source', 'postgres') })).toBe(true);
  const [draft = ''] = (await readdir(dataDir)).filter((name) => name.startsWith('restore-'));
  const left = await findPostmaster(join(dataDir, draft));
  expect(left).toBeDefined();
  await failedRestore();
  expect(await isAlive(left?.pid ?? 0)).toBe(false);
  expect(await readdir(dataDir)).toEqual(['postgres.log']);
});
