import { setTimeout as delay } from 'node:timers/promises';
import { type KeepAliveConnection } from './connection';

/** Interval at which a lost connection is tried again, in ms. */
const RECONNECT_MS = 250;
/** Pause after a start that failed, in ms: the first time, and at most. */
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4_000;
/** While the server does not start, the reason is told so often, in ms. */
const TELL_AGAIN_MS = 60_000;

/** What it takes to get a server back. */
export interface Recovery {
  /** Connects to the server where it was. */
  connect(): Promise<KeepAliveConnection>;
  /** Whether the server's process exists, whether or not it accepts connections yet. */
  isRunning(): Promise<boolean>;
  /**
   * Starts the server, or attaches to one that somebody else has started meanwhile. Hands over the
   * connection while no other process can start or stop the server.
   */
  start(adopt: (holder: KeepAliveConnection) => void): Promise<void>;
}

/**
 * Keeps a server running for as long as this process uses it. When the connection is lost, it is
 * made again; when the server's process is gone, it is started again, with growing pauses between
 * failed attempts. All processes that use the server do so: whichever is first starts it.
 * Nothing here keeps the process alive.
 */
export class Supervisor {
  private readonly ending = new AbortController();
  private recovering: Promise<void> | undefined;
  /** What was told last since the server was lost, and when. */
  private told: { message: string; at: number } | undefined;

  /**
   * @param recovery undefined: a lost server stays lost
   * @param tell told a sentence when the server is gone, does not start, and is back
   */
  constructor(
    private current: KeepAliveConnection,
    private readonly recovery: Recovery | undefined,
    private readonly tell: (message: string) => void,
  ) {
    this.watch(current);
  }

  /** The newest connection, which may be lost. */
  get holder(): KeepAliveConnection {
    return this.current;
  }

  /** Ends the supervision, and waits for an attempt under way: `holder` is the last one then. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.recovering;
  }

  private watch(holder: KeepAliveConnection): void {
    holder.onLost(() => {
      if (!this.recovery || this.ending.signal.aborted) return;
      this.recovering = this.recover(this.recovery);
    });
  }

  private adopt(holder: KeepAliveConnection): void {
    this.current = holder;
    holder.expectOthers();
    this.watch(holder);
  }

  private async recover(recovery: Recovery): Promise<void> {
    const { signal } = this.ending;
    let backoff = FIRST_BACKOFF_MS;
    let startAt = 0;
    for (;;) {
      await delay(RECONNECT_MS, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      const holder = await recovery.connect().catch(() => undefined);
      if (holder) return this.recovered(holder);
      if (signal.aborted || Date.now() < startAt) continue;
      try {
        if (await recovery.isRunning()) continue;
        if (!this.told) this.complain('The embedded PostgreSQL is gone: it is started again.');
        await recovery.start((started) => this.recovered(started));
        return;
      } catch (error) {
        this.complain((error as Error).message);
        startAt = Date.now() + backoff;
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
      }
    }
  }

  private recovered(holder: KeepAliveConnection): void {
    this.adopt(holder);
    if (this.told) this.tell('The embedded PostgreSQL is back.');
    this.told = undefined;
  }

  private complain(message: string): void {
    const { told } = this;
    if (told?.message === message && Date.now() - told.at < TELL_AGAIN_MS) return;
    this.told = { message, at: Date.now() };
    this.tell(message);
  }
}
