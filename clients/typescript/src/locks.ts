import { TimeoutError } from './errors';
import { sha256Base64url } from './sha256';

/** The part of the Web Locks API that a refresh needs. */
interface Locks {
  request<T>(
    name: string,
    options: {
      readonly signal?: AbortSignal;
      readonly mode?: 'shared';
      readonly ifAvailable?: boolean;
    },
    task: (lock: object | null) => T | Promise<T>,
  ): Promise<T>;
}

/** Milliseconds for which a tab tells the others that it has replaced tokens. */
const ANNOUNCED_MS = 10_000;
/** Milliseconds between two reads of a storage that another tab has changed. */
const INTERVAL_MS = 20;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, milliseconds);
    // Node would not end before.
    (timer as { unref?: () => void }).unref?.();
  });

/** The lock of tokens that several tabs share. */
export class TabLock {
  /** @param timeout milliseconds until waiting for another tab fails */
  constructor(
    private readonly locks: Locks,
    private readonly name: string,
    private readonly timeout: number,
  ) {}

  /**
   * The lock of this name; undefined where there are no locks. Node has locks too, which all clients
   * of a process share.
   */
  static of(name: string, timeout: number): TabLock | undefined {
    const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
    return locks && new TabLock(locks, name, timeout);
  }

  /** Runs a task under the lock. @throws TimeoutError */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(this.timeout);
    let granted = false;
    try {
      return await this.locks.request(this.name, { signal }, () => {
        granted = true;
        return task();
      });
    } catch (cause) {
      if (granted || !signal.aborted) throw cause;
      throw this.timeoutError(cause);
    }
  }

  /**
   * Tells other tabs that the tokens with this access token were replaced: browsers give them changes
   * of `localStorage` later than locks. It never fails, because the tokens are stored already.
   */
  async announce(accessToken: string): Promise<void> {
    const name = await this.announcement(accessToken);
    await new Promise<void>((resolve) => {
      this.locks
        .request(name, { mode: 'shared' }, () => {
          resolve();
          return pause(ANNOUNCED_MS);
        })
        .catch(() => {
          resolve();
        });
    });
  }

  /**
   * Waits until this tab sees the change of the storage that another tab has announced.
   *
   * @param isStale whether the storage still has the tokens with this access token
   * @throws TimeoutError
   */
  async awaitChange(accessToken: string, isStale: () => Promise<boolean>): Promise<void> {
    const name = await this.announcement(accessToken);
    const isAnnounced = (): Promise<boolean> =>
      this.locks.request(name, { ifAvailable: true }, (lock) => lock === null);
    if (!(await isAnnounced())) return;
    const end = Date.now() + this.timeout;
    while (await isStale()) {
      if (Date.now() > end) throw this.timeoutError();
      await pause(INTERVAL_MS);
    }
  }

  private async announcement(accessToken: string): Promise<string> {
    return `${this.name} ${await sha256Base64url(accessToken)}`;
  }

  private timeoutError(cause?: unknown): TimeoutError {
    const message = `another tab did not release the tokens in ${this.timeout} ms`;
    return new TimeoutError(message, { cause });
  }
}
