import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a temporary folder for the data of a benchmark, which removes it at its end. As root,
 * PostgreSQL runs as another user, and would keep its data elsewhere if it could not enter the
 * folder.
 */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
  await chmod(folder, 0o711);
  return folder;
}
