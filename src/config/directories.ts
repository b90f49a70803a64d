import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's `mkdir` with `recursive` never returns where a
 * file system refuses new entries of an existing folder with ENOENT, as /proc does.
 *
 * @param mode permissions of the created folders, before the umask
 * @returns the topmost folder that was created, or undefined when all of them existed
 * @throws Error of the file system, with `code` and `syscall`
 */
export async function createDirectory(path: string, mode = 0o777): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = path; !(await isDirectory(at)); at = dirname(at)) missing.unshift(at);
  let created: string | undefined;
  for (const folder of missing) if (await createOne(folder, mode)) created ??= folder;
  return created;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path) return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
    code: 'ENOTDIR',
    syscall: 'mkdir',
    path,
  });
}

/** Creates a folder; returns false when another process has created it meanwhile. */
async function createOne(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isDirectory(folder))) {
      return false;
    }
    throw error;
  }
}
