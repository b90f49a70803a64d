import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and the folders above it that are missing. Unlike `mkdir` of Node with
 * `recursive`, it ends where a file system has a folder but refuses to create entries in it with
 * ENOENT, as /proc does: Node tries for ever there.
 *
 * @param mode permissions of the folders that are created, before the umask
 * @returns the topmost folder that was created, or undefined when all were there
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

/** Creates a folder; false when another process was quicker. */
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
