import { link, lstat, rename, rm } from 'node:fs/promises';

/** Error codes of file systems that do not support hard links. */
const NO_HARD_LINK_ERRORS: readonly string[] = [
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EXDEV',
];

/**
 * Renames a complete file without replacing another one, also if several processes publish files of
 * the same name at once. A file system without hard links has no such operation: there, a file that
 * is created between the check and the rename is replaced.
 *
 * @param draft path of the file, in the same folder
 * @returns false if the name belongs to another file, a folder or a link; the draft is unchanged
 * @throws Error of the file system, also if the draft does not exist
 */
export async function publishNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_HARD_LINK_ERRORS.includes(code)) throw error;
    if (await isTaken(path)) return false;
    await rename(draft, path);
    return true;
  }
  await rm(draft);
  return true;
}

/** Whether a name exists. @throws Error of the file system when that is unknown */
async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
