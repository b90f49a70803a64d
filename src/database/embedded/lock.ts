import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, stat, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './process';

/** How long to wait for another process to finish starting or stopping the server, in ms. */
const WAIT_MS = 120_000;
/** A lock file still empty after this many ms was left by a process killed while writing it. */
const EMPTY_MS = 5_000;
/** The guard below is held for a few file operations; older than this (ms) it was left behind. */
const GUARD_MS = 10_000;
/** Where a reused process id cannot be told apart, a lock older than this (ms) is left over. */
const UNIDENTIFIED_MS = 600_000;

/** A lock file that cannot be made, as on a full disk; `cause` is the error of the file system. */
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
  /** When the process began, so that another one with the same id is not taken for it; may be ''. */
  born: string;
  token: string;
}

/**
 * Runs `work` while holding the lock file `path`, which is made and removed here; its directory
 * must exist. Other processes (and other calls in this one) wait for their turn, up to two
 * minutes. The lock of a process that was killed is taken over.
 *
 * @throws LockFileError when the file cannot be made.
 * @throws Error when the lock stays taken too long; whatever `work` throws.
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
  const deadline = Date.now() + WAIT_MS;
  const mine = JSON.stringify({ pid: process.pid, born: birthOf(process.pid), token });
  for (let pause = 5; !(await createOnly(path, mine)); pause = Math.min(pause * 1.5, 100)) {
    if (Date.now() > deadline) {
      throw new Error(
        'Another process has been starting, stopping or restoring the embedded PostgreSQL for ' +
          `two minutes; if there is none, remove ${path}.`,
      );
    }
    if (await isStale(path)) await removeStale(path);
    else await delay(pause);
  }
}

/** Makes the file with this text; false when it is already there. */
async function createOnly(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } catch (error) {
      // Left empty, it would keep everybody waiting.
      await remove(path);
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // Windows answers EPERM while a file that is being removed is still open somewhere.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return false;
    throw new LockFileError(error as NodeJS.ErrnoException);
  }
}

/**
 * Removes a stale lock. Looking and removing are two steps: without a guard, a process that looked
 * early could remove the fresh lock of one that was quicker.
 */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.guard`;
  if (!(await createOnly(guard, String(process.pid)))) {
    if ((await ageOf(guard)) > GUARD_MS) await remove(guard);
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
  if (owner === 'empty') return (await ageOf(path)) > EMPTY_MS;
  if (!(await isAlive(owner.pid))) return true;
  const born = birthOf(owner.pid);
  if (born && owner.born) return born !== owner.born;
  return (await ageOf(path)) > UNIDENTIFIED_MS;
}

async function readOwner(path: string): Promise<Owner | 'none' | 'empty'> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'empty';
  }
}

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

/** The boot and the tick at which a process began (Linux), or '' where that is not known. */
function birthOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; the start time is the 20th field after it.
    const tick = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return tick ? `${boot}/${tick}` : '';
  } catch {
    return '';
  }
}
