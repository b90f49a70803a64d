import { Semaphore } from '../api/body/semaphore';
import { unavailable } from '../api/errors/error-codes';

/** Threads of libuv for operations of files, of names of hosts, scrypt and zlib: its default. */
const DEFAULT_THREADS = 4;

const threads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_THREADS;

/** Times in milliseconds. */
export interface DiskTimes {
  /** That an operation waits for its turn. */
  readonly wait: number;
  /** Until an operation without a result counts as hanging. */
  readonly result: number;
}

const TIMES: DiskTimes = { wait: 3000, result: 10_000 };

/**
 * Limits the operations on a disk that may hang, such as a network mount, to half of the threads.
 * Otherwise such operations would occupy all of them, and everything else that needs one would
 * stop. An operation takes one thread at a time, until it ends: threads cannot be interrupted.
 */
export class DiskOperations {
  private readonly capacity = Math.max(1, Math.floor(threads() / 2));
  private readonly turns = new Semaphore(this.capacity);
  private hanging = 0;

  constructor(private readonly times: DiskTimes = TIMES) {}

  /**
   * Runs an operation when it is its turn.
   * @param discard frees the result of an operation that ends after the caller got an error
   * @throws ApiError 999 with 503 when there is no turn or no result in time; errors of `work`
   */
  async run<T>(work: () => Promise<T>, discard?: (result: T) => Promise<unknown>): Promise<T> {
    const end = await this.acquire();
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        this.hanging += 1;
        reject(unavailable(new Error(`no result from the disk within ${this.times.result} ms`)));
      }, this.times.result);
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
    return Promise.race([working, late]);
  }

  /** Runs an operation that must not be omitted, such as closing a file. It waits as long as needed. */
  async runLater(work: () => Promise<unknown>): Promise<void> {
    const end = await this.turns.acquire();
    await work()
      .catch(() => undefined)
      .finally(end);
  }

  private async acquire(): Promise<() => void> {
    const end = this.turns.tryAcquire();
    if (end) return end;
    // A wait would most likely be in vain.
    if (this.hanging >= this.capacity) throw unavailable(undefined);
    const waiting = new AbortController();
    const timer = setTimeout(() => {
      waiting.abort(unavailable(undefined));
    }, this.times.wait);
    try {
      return await this.turns.acquire(1, waiting.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
