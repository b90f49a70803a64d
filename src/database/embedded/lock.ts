import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, stat, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './process';

/** Milliseconds to wait for another process that starts or stops the server. */
const WAIT_MS = 120_000;
/** A lock file that is empty for this many ms is left from a process killed during the write. */
const EMPTY_MS = 5_000;
/** The guard is held for a few file operations; after this time (ms) it is stale. */
const GUARD_MS = 10_000;
/** Milliseconds by which the clock of a disk may be ahead. */
const MAX_AHEAD_MS = 60_000;
/** Where a reused process id cannot be detected, a lock is stale after this time (ms). */
const UNIDENTIFIED_MS = 600_000;

/** The lock file cannot be created, as on a full disk; `cause` is the file system error. */
export class LockFileError extends Error {
  readonly code: string | undefined;
  readonly syscall: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.syscall = cause.syscall;
  }
}

interface Owner {
  pid: number;
  /** Start time of the process, to detect a reused process id; may be ''. */
  born: string;
  token: string;
}

/**
 * Runs `work` while holding the lock file `path`, which it creates and removes; the directory must
 * exist. Other processes, and other calls in this process, wait up to two minutes. It takes over
 * the lock of a killed process.
 *
 * @throws LockFileError when the file cannot be created
 * @throws Error when the lock is not free in time; errors of `work`
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  await acquire(path, token);
  try {
    return await work();
  } finally {
    const owner = await readOwner(path);
    if (owner !== 'none' && owner !== 'empty' && owner.token === token) await remove(path);
  }
}

async function acquire(path: string, token: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  const mine = JSON.stringify({ pid: process.pid, born: birthOf(process.pid), token });
  for (let pause = 5; !(await createOnly(path, mine)); pause = Math.min(pause * 1.5, 100)) {
    if (performance.now() > deadline) {
      throw new Error(
        'Another process has been starting, stopping or restoring the embedded PostgreSQL for ' +
          `two minutes. If there is no such process, remove ${path}.`,
      );
    }
    if (await isStale(path)) await removeStale(path);
    else await delay(pause);
  }
}

/** Creates the file with this text; false when it exists. */
async function createOnly(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } catch (error) {
      // An empty file would make every process wait.
      await remove(path);
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // Windows reports EPERM while a file that is being removed is still open.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return false;
    throw new LockFileError(error as NodeJS.ErrnoException);
  }
}

/**
 * Removes a stale lock. The check and the removal are two steps: without a guard, a process could
 * remove a new lock that another process has created in between.
 */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.guard`;
  if (!(await createOnly(guard, String(process.pid)))) {
    if (isOlder(await ageOf(guard), GUARD_MS)) await remove(guard);
    await delay(20);
    return;
  }
  try {
    if (await isStale(path)) await remove(path);
  } finally {
    await remove(guard);
  }
}

async function isStale(path: string): Promise<boolean> {
  const owner = await readOwner(path);
  if (owner === 'none') return false;
  if (owner === 'empty') return isOlder(await ageOf(path), EMPTY_MS);
  if (!(await isAlive(owner.pid))) return true;
  const born = birthOf(owner.pid);
  if (born && owner.born) return born !== owner.born;
  return (await ageOf(path)) > UNIDENTIFIED_MS;
}

/**
 * Whether a file that a living process would have removed is older than a time. A file from the far
 * future is from before the clock was set back; disks of a network may be some seconds ahead.
 */
const isOlder = (age: number, limit: number): boolean => age > limit || age < -MAX_AHEAD_MS;

async function readOwner(path: string): Promise<Owner | 'none' | 'empty'> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' ? (owner as Owner) : 'empty';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'empty';
  }
}

/** Age in milliseconds; negative after the clock was set back. */
async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Boot id and start tick of a process (Linux), or '' where they are not available. */
function birthOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces; the start time is the 20th field after it.
    const tick = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return tick ? `${boot}/${tick}` : '';
  } catch {
    return '';
  }
}
