import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { until } from './until';

/**
 * Creates a folder that all processes of a run of the tests share. The first process that calls this
 * function creates the folder, and the others wait for it.
 *
 * @param make writes the content elsewhere, and renames it to the folder when it is complete
 */
export async function oncePerRun(folder: string, make: () => Promise<void>): Promise<void> {
  const lock = `${folder}.lock`;
  await until(async () => {
    if (existsSync(folder)) return true;
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!isFirst) return false;
    try {
      if (!existsSync(folder)) await make();
    } finally {
      await rmdir(lock);
    }
    return true;
  });
}
