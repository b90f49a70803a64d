import { Semaphore } from '../api/body/semaphore';
import { unavailable } from '../api/errors/error-codes';
import { isMissingFile, toFileError } from '../api/errors/file-errors';

/** Default number of threads of libuv, which run file operations, DNS lookups, scrypt and zlib. */
const DEFAULT_THREADS = 4;

const threads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_THREADS;

/** Time limits in milliseconds. */
export interface DiskTimeouts {
  /** Until an operation that has no turn fails. */
  readonly wait: number;
  /** Until an operation that has begun counts as hanging. */
  readonly result: number;
}

const TIMEOUTS: DiskTimeouts = { wait: 3000, result: 10_000 };

/**
 * Limits the operations on a disk that may hang, such as a network mount, to half of the threads.
 * Otherwise such operations could occupy all threads, and everything else that needs a thread would
 * stop. An operation occupies one thread until it ends, because threads cannot be interrupted.
 */
export class DiskOperations {
  private readonly capacity = Math.max(1, Math.floor(threads() / 2));
  private readonly turns = new Semaphore(this.capacity);
  private hanging = 0;

  constructor(private readonly timeouts: DiskTimeouts = TIMEOUTS) {}

  /**
   * Runs an operation when it is its turn.
   * @param discard frees the result of an operation that ends after the caller got an error
   * @throws ApiError 999 with 503 when there is no turn or no result in time, and for errors of the
   *   file system; errors of `work` that a file is missing, and its other errors
   */
  async run<T>(work: () => Promise<T>, discard?: (result: T) => Promise<unknown>): Promise<T> {
    const end = await this.acquire();
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        this.hanging += 1;
        reject(unavailable(new Error(`no result from the disk within ${this.timeouts.result} ms`)));
      }, this.timeouts.result);
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
  async runWithoutTimeout(work: () => Promise<unknown>): Promise<void> {
    const end = await this.turns.acquire();
    await work()
      .catch(() => undefined)
      .finally(end);
  }

  private async acquire(): Promise<() => void> {
    const end = this.turns.tryAcquire();
    if (end) return end;
    // All threads of the disk hang, so the operation would most likely time out.
    if (this.hanging >= this.capacity) throw unavailable(undefined);
    const waiting = new AbortController();
    const timer = setTimeout(() => {
      waiting.abort(unavailable(undefined));
    }, this.timeouts.wait);
    try {
      return await this.turns.acquire(1, waiting.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
