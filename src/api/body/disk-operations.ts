import { unavailable } from '../errors/error-codes';
import { isMissingFile, DiskTimeout, toFileError } from '../errors/file-errors';
import { AddressSemaphore } from './address-semaphore';
import { Semaphore } from './semaphore';

const releaseBoth = (first: () => void, second: () => void) => (): void => {
  first();
  second();
};

/** Default number of threads of libuv, which run file operations, DNS lookups, scrypt and zlib. */
const DEFAULT_THREADS = 4;

const threads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_THREADS;

/** Limits of the operations on one disk. Times are in milliseconds. */
export interface DiskLimits {
  /** Part of the threads; at least one thread is permitted. */
  readonly share: number;
  /** Until an operation that has no turn fails. */
  readonly wait: number;
  /** Until an operation that has begun counts as hanging. */
  readonly result: number;
}

/** Limits of the folder of pictures. */
export const PICTURES_DISK: DiskLimits = { share: 1 / 2, wait: 3000, result: 10_000 };

/**
 * Limits of the folder of uploads, which may be on another disk than the pictures. A busy disk delays
 * uploads, so they wait longer than readers of pictures.
 */
export const UPLOADS_DISK: DiskLimits = { share: 1 / 4, wait: 10_000, result: 10_000 };

/** Limits of the folder of imports and exports, which only administrators use. */
export const TRANSFERS_DISK: DiskLimits = { share: 1 / 4, wait: 3000, result: 10_000 };

/** The disks may be the same mount. One thread stays for everything else when all of them hang. */
const allDisks = new Semaphore(Math.max(1, threads() - 1));

/** Called when an operation is given up; the promise settles when it ends. */
export type OnLate = (ended: Promise<unknown>) => void;

/** How an operation is run. */
export interface OperationOptions<T> {
  /** Limit key of the client's address. Addresses take turns; all other operations have one. */
  readonly address?: string;
  /** Ends the wait for a turn, with its reason. */
  readonly signal?: AbortSignal;
  /** Frees the result of an operation that ends after the caller got an error. */
  readonly discard?: (result: T) => Promise<unknown>;
  /**
   * Called when the operation takes longer than `limits.result`, before the caller gets an error;
   * its promise settles when the operation ends.
   */
  readonly onLate?: OnLate;
}

/**
 * Limits the operations on a disk that may hang, such as a network mount, to a part of the threads.
 * Otherwise such operations could occupy all threads, and everything else that needs a thread would
 * stop. An operation occupies one thread until it ends, because threads cannot be interrupted.
 */
export class DiskOperations {
  private readonly capacity: number;
  private readonly turns: AddressSemaphore;
  private hanging = 0;

  constructor(private readonly limits: DiskLimits) {
    this.capacity = Math.max(1, Math.floor(threads() * limits.share));
    this.turns = new AddressSemaphore(this.capacity, this.capacity);
  }

  /**
   * Runs an operation when it is its turn.
   * @throws ApiError 999 with 503 when there is no turn or no result in time, and for errors of the
   *   file system; errors of `work` that a file is missing, and its other errors; the reason of the
   *   signal
   */
  async run<T>(
    work: () => Promise<T>,
    { address = '', signal, discard, onLate }: OperationOptions<T> = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const end = await this.acquire(address, signal);
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        this.hanging += 1;
        onLate?.(working);
        reject(
          unavailable(new DiskTimeout(`no result from the disk within ${this.limits.result} ms`)),
        );
      }, this.limits.result);
    });
    const working = work()
      .then(async (result) => {
        if (isLate) await discard?.(result);
        return result;
      })
      .finally(() => {
        clearTimeout(timer);
        if (isLate) this.hanging -= 1;
        end();
      });
    return Promise.race([working, late]).catch((error: unknown) => {
      throw isMissingFile(error) ? error : toFileError(error);
    });
  }

  /** Runs an operation that must not be omitted, such as closing a file, and ignores its errors. */
  async runWithoutTimeout(work: () => Promise<unknown>, address = ''): Promise<void> {
    const end = await this.acquireBoth(address);
    await work()
      .catch(() => undefined)
      .finally(end);
  }

  private async acquire(address: string, signal?: AbortSignal): Promise<() => void> {
    const end = this.tryAcquireBoth(address);
    if (end) return end;
    // All threads of the disk hang, so the operation would most likely time out.
    if (this.hanging >= this.capacity) throw unavailable(new DiskTimeout('the disk hangs'));
    const waiting = new AbortController();
    const leave = (): void => {
      waiting.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    const timer = setTimeout(() => {
      const { wait } = this.limits;
      waiting.abort(unavailable(new DiskTimeout(`no turn on the disk within ${wait} ms`)));
    }, this.limits.wait);
    try {
      return await this.acquireBoth(address, waiting.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
  }

  private tryAcquireBoth(address: string): (() => void) | undefined {
    const end = this.turns.tryAcquire(address);
    const endShared = end && allDisks.tryAcquire();
    if (end && endShared) return releaseBoth(end, endShared);
    end?.();
    return undefined;
  }

  private async acquireBoth(address: string, signal?: AbortSignal): Promise<() => void> {
    const end = await this.turns.acquire(address, signal);
    try {
      return releaseBoth(end, await allDisks.acquire(1, signal));
    } catch (error) {
      end();
      throw error;
    }
  }
}
