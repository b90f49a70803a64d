import { Logger } from '@nestjs/common';
import { type Redis, type RedisOptions } from 'ioredis';
import { type Duplex } from 'node:stream';
import { loadIoRedis } from '../config/packages';
import { destroyOnParserError } from '../process/parser-errors';

/** Unit and limit of silence; see {@link RedisLink}. */
const TICK_MS = 50;
const TICKS = 20;

/**
 * Errors of Redis that concern every command. Before Redis 7, an error in a script follows a
 * description of the script. Another error, such as a value of another type, concerns one command.
 */
const UNUSABLE =
  /(^|[\s-])(READONLY|OOM|LOADING|MASTERDOWN|NOREPLICAS|MISCONF|NOAUTH|WRONGPASS|NOPERM|CLUSTERDOWN|BUSY) /;

/** Milliseconds for opening a connection. */
const CONNECT_MS = 3000;
/** Milliseconds before a reconnection attempt: the first, and the maximum. */
const FIRST_WAIT_MS = 10;
const MAX_WAIT_MS = 2000;

/** A command without a reply yet. */
interface Pending {
  lose(reason: Error): void;
}

/**
 * - `up`: Redis has replied to a check on this connection.
 * - `interrupted`: the connection was just lost, and the link reconnects. Callers may wait.
 * - `down`: that failed, or Redis is silent or rejects commands. The link retries until it
 *   succeeds.
 */
type State = 'up' | 'interrupted' | 'down';

/**
 * A connection to Redis that reports whether Redis is available, and reconnects until it is.
 *
 * Redis is down when it is silent for a second while commands wait. A timer cannot detect that: if
 * this process was busy or stopped for a second, its timers fire before it reads the replies in its
 * socket. So silence is counted in ticks of the event loop. A tick lasts at least 50 ms and
 * includes a poll for I/O; a stall of the loop of any length counts as one tick.
 *
 * A connection is used after a check, which writes. The link closes and reopens a connection to a
 * replica, or to a Redis that is out of memory, is loading its data or requires a password: after a
 * failover the address may lead to another server.
 */
export class RedisLink {
  private readonly logger = new Logger(RedisLink.name);
  private readonly client: Redis;
  private state: State = 'interrupted';
  private readonly pending = new Set<Pending>();
  private readonly waiting = new Set<(isUp: boolean) => void>();
  private timer: NodeJS.Timeout | undefined;
  /** Ticks since the last reply of Redis. */
  private quiet = 0;
  /** Number of the current connection; events of older connections are ignored. */
  private connections = 0;
  /** Attempts to connect since Redis was last up. */
  private attempts = 0;
  /** State of the current connection attempt; undefined before the first. */
  private attempt: 'connecting' | 'connected' | undefined;
  /** Whether to close the connection when no command waits for it. */
  private closing = false;
  private closed = false;
  /** Last error of a single command, as logged. */
  private rejection: string | undefined;
  /** Why Redis is down, as logged. */
  private reason: string | undefined;

  /**
   * @param check command that Redis must reply to first on each connection
   * @param without what happens while Redis is unavailable, for the log
   * @param again what happens when it is available again, for the log
   */
  constructor(
    url: string,
    scripts: NonNullable<RedisOptions['scripts']>,
    private readonly check: (client: Redis) => Promise<unknown>,
    private readonly without: string,
    private readonly again: string,
  ) {
    const { Redis: Client } = loadIoRedis();
    this.client = new Client(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // The check covers more, and has a time limit.
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
        // A member that the types lack. A reply that no command waits for makes the client throw.
        const { stream } = this.client as unknown as { stream: Duplex };
        destroyOnParserError(
          stream,
          (thrown) => new Error('Redis sent an invalid reply', { cause: thrown }),
        );
      })
      .on('ready', () => void this.probe())
      .on('close', () => {
        // The first event ends the connection, later ones end an attempt to reconnect. After a
        // refused connection there is no point in waiting.
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

  /** Minimum milliseconds that a command sent now is waited for. */
  get patience(): number {
    return Math.max(0, TICKS - this.quiet - 1) * TICK_MS;
  }

  /** Connects, and waits until Redis is up or down. */
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
   * @throws Error when there is no reply, or Redis replies with an error
   */
  execute<T>(send: (client: Redis) => Promise<T>): Promise<T> {
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
          if (cause.name === 'ReplyError') this.rejected(cause);
          else if (connection === this.connection && this.state === 'up') this.interrupt();
          this.closeWhenIdle();
        },
      );
    });
  }

  /**
   * Waits while the link reconnects.
   *
   * @returns whether Redis is up
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
      await this.execute(this.check);
    } catch {
      return;
    }
    if (connection !== this.connection || this.closing || this.closed) return;
    this.state = 'up';
    this.attempts = 0;
    if (this.reason !== undefined) {
      this.logger.warn(`Redis is available again; ${this.again}`);
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
    // Logged once, not for every request or attempt.
    if (this.reason === undefined && !this.closed) {
      this.logger.warn(`Redis is unavailable, ${this.without}: ${message}`);
    }
    this.reason ??= message;
    this.settle(false);
  }

  /** Redis replies with an error to one command. */
  private rejected(error: Error): void {
    // No other command works if the check does not.
    if (this.state !== 'up' || UNUSABLE.test(error.message)) {
      this.refused(error);
      return;
    }
    this.quiet = 0;
    // Logged once, not for every request.
    if (error.message !== this.rejection)
      this.logger.warn(`Redis rejects a command: ${error.message}`);
    this.rejection = error.message;
  }

  /** Redis rejects all commands; replies to other commands may still arrive. */
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
      // First lets the loop read replies that arrived meanwhile.
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
