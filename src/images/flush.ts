import { open } from 'node:fs/promises';

/** Returns when what was written to a file, or the names in a folder, would outlive a crash. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
