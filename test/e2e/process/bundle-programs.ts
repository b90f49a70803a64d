import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oncePerRun } from './once-per-run';

const PROGRAM = [join(__dirname, 'typescript.js'), join(__dirname, 'make-bundles.js')];

/** Bundles the programs for all processes that this one starts, once in a run of the tests. */
export async function bundlePrograms(): Promise<void> {
  const folder = join(String(process.env.TEST_SCRATCH), 'bundles');
  await oncePerRun(folder, async () => {
    await promisify(execFile)(process.execPath, [...PROGRAM, folder]);
  });
  process.env.TEST_BUNDLES = folder;
}
