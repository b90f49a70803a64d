import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copyCluster } from '../../faults/postgres';
import { environment, Workshop } from './programs';

const PROGRAM = [join(__dirname, 'typescript.js'), join(__dirname, '../../../src/cli.ts')];
const UNWRITABLE = '/dev/full';
const NO_SPACE = 'ENOSPC: no space left on device, write';

let workshop: Workshop;
let dataDir: string;
beforeAll(async () => {
  workshop = await Workshop.open();
  dataDir = join(workshop.folder, 'data');
  await copyCluster(dataDir);
  const env = { DATA_DIR: dataDir };
  await workshop.result(env, 'user', 'create', '--uid', 'ann', '--name', 'Ann');
});
afterAll(async () => {
  // If a test failed, the embedded PostgreSQL still runs; the next command stops it.
  if (databaseRuns()) await workshop.cli({ DATA_DIR: dataDir }, ['migrate', 'status']);
  await workshop.close();
});

const databaseRuns = (): boolean => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));

/** Runs a command whose standard output is on a full disk. */
async function runWithFullOutput(args: readonly string[]): Promise<unknown> {
  const full = await open(UNWRITABLE, 'w');
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd: workshop.folder,
    env: environment({ DATA_DIR: dataDir }),
    stdio: ['ignore', full.fd, 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'close'),
  ]);
  await full.close();
  return { code: code as number | null, stderr };
}

it.each([
  ['the result of a command', ['user', 'list']],
  ['an export', ['export', 'user']],
])('a full disk of %s: reports the reason and stops PostgreSQL', async (_, args) => {
  expect(await runWithFullOutput(args)).toEqual({
    code: 1,
    stderr: `commonplace: cannot write to standard output: ${NO_SPACE}\n`,
  });
  expect(databaseRuns()).toBe(false);
});

it('a command that changes something finishes although its output is lost', async () => {
  const create = ['user', 'create', '--uid', 'bob', '--name', 'Bob'];
  expect(await runWithFullOutput(create)).toMatchObject({ code: 1 });
  const users = await workshop.cli({ DATA_DIR: dataDir }, ['export', 'user']);
  expect(users.stdout).toContain('"uid":"bob"');
});

it('an export to a closed pipe prints nothing, and stops PostgreSQL', async () => {
  const program = workshop.command({ DATA_DIR: dataDir }, ['export', 'user']);
  program.child.stdout?.destroy();
  expect(await program.ended).toMatchObject({ code: 141, stderr: '' });
  expect(databaseRuns()).toBe(false);
});

it('a full disk of the file of an export: reports the reason and stops PostgreSQL', async () => {
  const exported = await workshop.cli({ DATA_DIR: dataDir }, [
    'export',
    'user',
    '--out',
    UNWRITABLE,
  ]);
  expect(exported).toMatchObject({ code: 1, stdout: '', stderr: `commonplace: ${NO_SPACE}\n` });
  expect(databaseRuns()).toBe(false);
});
