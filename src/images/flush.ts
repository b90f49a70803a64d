import { open } from 'node:fs/promises';

/** Flushes a file, or the names in a folder, to disk, so that it survives a crash. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
