import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** A named pipe that nobody writes to: reading it hangs. */
let pipe: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-exit-'));
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a program with TypeScript until it ends. */
async function ended(program: string): Promise<unknown> {
  const child = spawn(
    process.execPath,
    ['--require', join(__dirname, 'typescript.js'), '--eval', program],
    { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return once(child, 'exit');
}

it.each(['exitUrgently', 'exitWithoutHanging'])(
  '%s keeps the status while short operations on files follow each other',
  async (exit) => {
    const program = `
      const { readFile } = require('node:fs');
      const { ${exit} } = require('./src/process/exit-process.ts');
      const read = () => readFile('package.json', () => setTimeout(read, 50));
      read();
      setTimeout(() => {
        // Certainly runs at this moment.
        readFile('package.json', () => undefined);
        void ${exit}(130);
      }, 100);`;
    expect(await ended(program)).toEqual([130, null]);
  },
  60_000,
);

it.each(['exitUrgently', 'exitWithoutHanging'])(
  '%s ends with SIGKILL while an operation on a file hangs',
  async (exit) => {
    const program = `
      const { ${exit} } = require('./src/process/exit-process.ts');
      require('node:fs').readFile(${JSON.stringify(pipe)}, () => undefined);
      void ${exit}(130);`;
    expect(await ended(program)).toEqual([null, 'SIGKILL']);
  },
  60_000,
);
