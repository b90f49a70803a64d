import { Logger } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';

/** Silence is measured in ticks: see {@link RedisLink}. */
const TICK_MS = 50;
const TICKS = 20;

/** Milliseconds that a connection may take to be made. */
const CONNECT_MS = 3000;
/** Milliseconds before a lost connection is made again: the first time, and at most. */
const FIRST_WAIT_MS = 10;
const MAX_WAIT_MS = 2000;

/** A command without a reply yet. */
interface Pending {
  lose(reason: Error): void;
}

/**
 * - `up`: Redis has answered a check since the connection was made.
 * - `interrupted`: the connection was lost a moment ago, and is being made again. Callers may wait.
 * - `down`: that failed, or Redis is silent, or refuses commands. It is tried again until it works.
 */
type State = 'up' | 'interrupted' | 'down';

/**
 * A connection to Redis that says whether Redis can be used, and is made again until it can.
 *
 * Redis is down when it is silent for a second while commands wait for it. A timer alone cannot tell
 * that: when this process was busy or stopped for a second, its timers fire before it has read the
 * replies that lie in its socket. So silence is counted in ticks of the event loop. A tick lasts 50
 * ms at least, and before it counts the loop has polled for I/O once; however long the loop stalls, a
 * stall is one tick.
 *
 * A connection is used once it has passed a check, which writes. One to a replica, or to a Redis
 * without memory, that loads its data or asks for a password, is closed and made again: after a
 * failover the address may lead to another server.
 */
export class RedisLink {
  private readonly logger = new Logger(RedisLink.name);
  private readonly client: Redis;
  private state: State = 'interrupted';
  private readonly pending = new Set<Pending>();
  private readonly waiting = new Set<(isUp: boolean) => void>();
  private timer: NodeJS.Timeout | undefined;
  /** Ticks since Redis was last heard. */
  private quiet = 0;
  /** Grows with each connection: what is said of an older one is no longer of interest. */
  private connections = 0;
  /** Attempts to connect since Redis was last up. */
  private attempts = 0;
  /** What is known of the attempt to connect that is under way; undefined before the first. */
  private attempt: 'connecting' | 'connected' | undefined;
  /** Whether the connection is closed when no command waits for it any more. */
  private closing = false;
  private closed = false;
  /** Why Redis is down, as the log has it. */
  private reason: string | undefined;

  /**
   * @param check shows by a reply that Redis can be used; it is sent first on each connection
   * @param without what happens while Redis is away, for the log
   */
  constructor(
    url: string,
    scripts: NonNullable<RedisOptions['scripts']>,
    private readonly check: (client: Redis) => Promise<unknown>,
    private readonly without: string,
  ) {
    this.client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // The check finds out more, and does not wait for ever.
      enableReadyCheck: false,
      disableClientInfo: true,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      connectTimeout: CONNECT_MS,
      disconnectTimeout: 0,
      retryStrategy: () => {
        this.attempts += 1;
        return Math.min(FIRST_WAIT_MS * 4 ** (this.attempts - 1), MAX_WAIT_MS);
      },
      reconnectOnError: () => false,
      scripts,
    });
    let cause: Error | undefined;
    this.client
      .on('error', (error: Error) => {
        cause = error;
      })
      .on('connecting', () => {
        this.attempt = 'connecting';
      })
      .on('connect', () => {
        this.attempt = 'connected';
      })
      .on('ready', () => void this.probe())
      .on('close', () => {
        // The first time it is the connection that ends, then an attempt to make another. Where
        // nobody listens there is nothing to wait for.
        if (this.state === 'up') this.interrupt();
        else if (this.attempt === 'connecting') this.fall(cause ?? new Error('no connection'));
        cause = undefined;
      });
  }

  /** Number of the connection that commands are sent on. */
  get connection(): number {
    return this.connections;
  }

  get isUp(): boolean {
    return this.state === 'up';
  }

  /** Milliseconds for which a command that is sent now is waited for at least. */
  get patience(): number {
    return Math.max(0, TICKS - this.quiet - 1) * TICK_MS;
  }

  /** Connects, and waits until it is known whether Redis can be used. */
  async open(): Promise<void> {
    this.client.connect().catch(() => undefined);
    await this.settled();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.client.disconnect();
    this.settle(false);
  }

  /**
   * Sends a command.
   *
   * @throws Error when it has no reply, or an error for one
   */
  ask<T>(send: (client: Redis) => Promise<T>): Promise<T> {
    const { connection } = this;
    this.watch();
    return new Promise<T>((resolve, reject) => {
      const pending: Pending = {
        lose: (reason) => {
          this.pending.delete(pending);
          reject(reason);
        },
      };
      this.pending.add(pending);
      send(this.client).then(
        (reply) => {
          this.quiet = 0;
          this.pending.delete(pending);
          resolve(reply);
          this.closeWhenIdle();
        },
        (error: unknown) => {
          const cause = error as Error;
          pending.lose(cause);
          if (cause.name === 'ReplyError') this.refused(cause);
          else if (connection === this.connection && this.state === 'up') this.interrupt();
          this.closeWhenIdle();
        },
      );
    });
  }

  /**
   * Waits while the connection is made again.
   *
   * @returns whether Redis is up then
   */
  settled(): Promise<boolean> {
    if (this.state !== 'interrupted' || this.closed) return Promise.resolve(this.isUp);
    this.watch();
    return new Promise((resolve) => {
      this.waiting.add(resolve);
    });
  }

  private settle(isUp: boolean): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve(isUp);
  }

  private async probe(): Promise<void> {
    this.connections += 1;
    this.closing = false;
    const { connection } = this;
    try {
      await this.ask(this.check);
    } catch {
      return;
    }
    if (connection !== this.connection || this.closing || this.closed) return;
    this.state = 'up';
    this.attempts = 0;
    if (this.reason !== undefined) {
      this.logger.warn('Redis is back: calls are counted together again');
    }
    this.reason = undefined;
    this.settle(true);
  }

  private interrupt(): void {
    this.state = 'interrupted';
    this.attempt = undefined;
    this.quiet = 0;
    this.watch();
  }

  private fall({ message }: Error): void {
    this.state = 'down';
    // Once, not for every call or attempt.
    if (this.reason === undefined && !this.closed) {
      this.logger.warn(`Redis is away, ${this.without}: ${message}`);
    }
    this.reason ??= message;
    this.settle(false);
  }

  /** Redis is there, and does not do what it is asked for; replies to other commands may come. */
  private refused(error: Error): void {
    this.quiet = 0;
    this.closing = true;
    this.fall(error);
  }

  private closeWhenIdle(): void {
    if (!this.closing || this.pending.size > 0) return;
    this.closing = false;
    this.client.disconnect(true);
  }

  private watch(): void {
    if (this.timer || this.closed) return;
    this.quiet = 0;
    this.wait();
  }

  private wait(): void {
    this.timer = setTimeout(() => {
      // Not before the loop has read what came meanwhile.
      setImmediate(() => {
        this.tick();
      });
    }, TICK_MS).unref();
  }

  private tick(): void {
    this.timer = undefined;
    if (this.closed || (this.pending.size === 0 && this.state !== 'interrupted')) return;
    this.quiet += 1;
    if (this.quiet < TICKS) {
      this.wait();
      return;
    }
    const silence = new Error(`no reply for ${(TICKS * TICK_MS) / 1000} s`);
    this.fall(silence);
    for (const pending of [...this.pending]) pending.lose(silence);
    this.client.disconnect(true);
  }
}
