import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until';

const PROGRAM = [join(__dirname, 'typescript.js'), join(__dirname, 'make-bundles.js')];

/**
 * Bundles the programs for all processes that this one starts. The first process that calls it in a
 * run of the tests makes the bundles, and the others wait for them.
 */
export async function bundlePrograms(): Promise<void> {
  const folder = join(String(process.env.TEST_SCRATCH), 'bundles');
  const lock = `${folder}.lock`;
  await until(async () => {
    if (existsSync(folder)) return true;
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!isFirst) return false;
    try {
      if (!existsSync(folder)) await promisify(execFile)(process.execPath, [...PROGRAM, folder]);
    } finally {
      await rmdir(lock);
    }
    return true;
  });
  process.env.TEST_BUNDLES = folder;
}
