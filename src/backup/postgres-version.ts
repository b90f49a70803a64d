import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Major version of PostgreSQL that created a cluster, for example 18. */
export async function majorVersion(cluster: string): Promise<number> {
  return Number.parseInt(await readFile(join(cluster, 'PG_VERSION'), 'utf8'), 10);
}
