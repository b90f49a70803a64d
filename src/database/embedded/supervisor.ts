import { setTimeout as delay } from 'node:timers/promises';
import { type KeepAliveConnection } from './connection';

/** Milliseconds between reconnection attempts. */
const RECONNECT_MS = 250;
/** Milliseconds between checks for a shutdown that waits for the connections of this process. */
const CHECK_MS = 1_000;
/** Milliseconds of the first and of the longest pause after a failed start. */
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4_000;
/** Milliseconds between reports of the same reason while the server does not start. */
const TELL_AGAIN_MS = 60_000;

/** Steps to recover a server. */
export interface Recovery {
  /** Connects to the server at its earlier address. */
  connect(): Promise<KeepAliveConnection>;
  /**
   * Turns a smart shutdown (SIGTERM) of the server into a fast one, which ends all sessions.
   *
   * @returns whether the server is stopping
   */
  escalateToFastShutdown(): Promise<boolean>;
  /** Whether the server's process exists, even if it does not accept connections yet. */
  isRunning(): Promise<boolean>;
  /**
   * Starts the server, or attaches to one that another process has started. It passes the
   * connection to `adopt` while no other process can start or stop the server.
   */
  start(adopt: (holder: KeepAliveConnection) => void): Promise<void>;
}

/**
 * Keeps a server running while this process uses it. It reconnects after a lost connection, and
 * restarts a server whose process is gone, with growing pauses between failed attempts. A server
 * that somebody has told to stop accepts no connections, but would wait for the end of the existing
 * ones: it is stopped and restarted. Every process that uses the server does so; the first one
 * restarts it. It does not keep the process alive.
 */
export class Supervisor {
  private readonly ending = new AbortController();
  private recovering: Promise<void> | undefined;
  /** The last report since the server was lost, and its time. */
  private lastMessage: { message: string; at: number } | undefined;

  /**
   * @param recovery undefined means that a lost server is not recovered
   * @param tell receives a sentence when the server is lost, does not start, and is back
   */
  constructor(
    private current: KeepAliveConnection,
    private readonly recovery: Recovery | undefined,
    private readonly tell: (message: string) => void,
  ) {
    this.watch(current);
    if (recovery) void this.watchShutdowns(recovery);
  }

  /** The current connection, which may be lost. */
  get holder(): KeepAliveConnection {
    return this.current;
  }

  /** Ends the supervision after the current attempt; then `holder` does not change any more. */
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

  private async watchShutdowns(recovery: Recovery): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await delay(CHECK_MS, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      // Failures, such as those of the file system, are reported when the connection is lost.
      const isStopping = await recovery.escalateToFastShutdown().catch(() => false);
      if (isStopping)
        this.complain('The embedded PostgreSQL was told to stop: it is started again.');
    }
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
      if (signal.aborted || performance.now() < startAt) continue;
      try {
        if (await recovery.isRunning()) continue;
        if (!this.lastMessage)
          this.complain('The embedded PostgreSQL is gone: it is started again.');
        await recovery.start((started) => this.recovered(started));
        return;
      } catch (error) {
        this.complain((error as Error).message);
        startAt = performance.now() + backoff;
        backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
      }
    }
  }

  private recovered(holder: KeepAliveConnection): void {
    this.adopt(holder);
    if (this.lastMessage) this.tell('The embedded PostgreSQL is back.');
    this.lastMessage = undefined;
  }

  private complain(message: string): void {
    const { lastMessage } = this;
    if (lastMessage?.message === message && performance.now() - lastMessage.at < TELL_AGAIN_MS)
      return;
    this.lastMessage = { message, at: performance.now() };
    this.tell(message);
  }
}
