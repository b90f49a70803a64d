import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const PREFIX = 'commonplace-tests-';

/** Free bytes of the file system, and of the machine's memory, that a run needs. */
const MIN_FREE = 4 * 1024 ** 3;

/**
 * Makes a folder in memory the one for temporary files (`TMPDIR`) of this process and its children,
 * if there is enough memory. Tests create hundreds of databases of 1,000 files, and ext4 takes a
 * third of the CPU time of a run to find numbers for these files while others are being deleted.
 */
export async function useMemoryFolder(): Promise<void> {
  if (!existsSync(MEMORY) || freemem() < MIN_FREE) return;
  const { bavail, bsize } = await statfs(MEMORY);
  if (bavail * bsize < MIN_FREE) return;
  await removeAbandoned();
  const folder = await mkdtemp(join(MEMORY, `${PREFIX}${process.pid}-`));
  // PostgreSQL's own account must be able to enter, and others to create files.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
}

/** Removes the folder for temporary files if it is one of {@link useMemoryFolder}. */
export async function removeMemoryFolder(): Promise<void> {
  const folder = tmpdir();
  if (!folder.startsWith(join(MEMORY, PREFIX))) return;
  delete process.env.TMPDIR;
  await rm(folder, { recursive: true, force: true });
}

/** Removes what runs left that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    // Another account's folders stay.
    await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
