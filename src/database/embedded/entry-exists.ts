import { lstat } from 'node:fs/promises';

/** Whether a file, folder or link exists, also a link without a target. */
export async function entryExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
