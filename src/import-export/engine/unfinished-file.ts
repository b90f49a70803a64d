import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { publishNew } from '../../config/publish-file';
import { flush } from '../../images/flush';

/** Suffix of files while they are written. */
export const UNFINISHED_SUFFIX = '.part';

/** The end of the name of an unfinished file. Earlier versions omit the id of the attempt. */
const UNFINISHED = /(\.[0-9a-f]{16})?\.part$/;

/** The name that an unfinished file gets when it is complete; other names are returned unchanged. */
export const finishedName = (name: string): string => name.replace(UNFINISHED, '');

/** Lists the paths of the unfinished files of all attempts to write a file. */
export async function listUnfinished(path: string): Promise<string[]> {
  const folder = dirname(path);
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith(UNFINISHED_SUFFIX) && finishedName(name) === basename(path))
    .map((name) => join(folder, name));
}

/**
 * Writes a file under a name that no other attempt uses, and renames it when it is complete. A
 * process can lose its job without noticing, for example because its host was frozen. It therefore
 * never changes the file of the process that took the job over.
 *
 * @param write writes the file at the given path, which does not exist yet, and flushes it to disk
 * @param requireJob throws when another process may have the job. The next attempt deletes the
 *   unfinished files that it finds, so that a rename after this check fails.
 * @param mayReplace whether the file replaces another one of this name
 * @throws Error when there is another file of this name that must not be replaced
 */
export async function writeFinished(
  path: string,
  write: (unfinished: string) => Promise<void>,
  requireJob: () => Promise<void> | void,
  mayReplace: boolean,
): Promise<void> {
  const unfinished = `${path}.${randomBytes(8).toString('hex')}${UNFINISHED_SUFFIX}`;
  try {
    await write(unfinished);
    await requireJob();
    if (mayReplace) await rename(unfinished, path);
    else if (!(await publishNew(unfinished, path))) throw new Error(`${path} already exists`);
  } catch (error) {
    // The error of the write is the one to report.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
  await flush(dirname(path));
}
