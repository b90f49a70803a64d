import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { errorText } from '../api/errors/error-text';
import { detached } from '../api/http/current-request';
import { lifetimeOf } from './data-source';
import { makeOwnConnection } from './own-connection';
import { type PoolClient } from './pool-client';
import { NoResponse, SerialQueries } from './serial-queries';
import { type Statement } from './statement';

/** Milliseconds before a reconnection attempt: the first, and the maximum. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5000;
/** Milliseconds between two heartbeats, and for the response to one. */
const HEARTBEAT_MS = 10_000;
const ANSWER_MS = 5000;
/** The same for a heartbeat after a statement without a response. */
const SILENT_MS = 1000;

/** Milliseconds for the connection to end: with a lost peer it never would. */
const CLOSE_MS = 500;

/** The end of a connection that is replaced in time. */
const RENEWED = new Error('the connection is replaced');

/** Differs from the name of the pool's connections, for operators. */
const APPLICATION_NAME = 'commonplace-listener';

/**
 * Called with the payload of a notification, or with undefined when anything may have changed. That
 * is at the start, after a lost connection, and for notifications without a payload.
 */
export type Listener = (payload: string | undefined) => void | Promise<void>;

/**
 * Receives notifications of other processes (LISTEN and NOTIFY), on one connection outside the
 * pool. It reconnects after a loss, and never keeps the process alive. Its connections and listeners
 * belong to no request, also if a statement of a request begins a reconnection.
 *
 * It does not listen before {@link start}, because short commands need no notifications.
 */
@Injectable()
export class Notifications implements OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly listeners = new Map<string, Listener[]>();
  private readonly followers: (() => void)[] = [];
  private client: PoolClient | undefined;
  /** Statements on {@link client}: heartbeats and those of {@link query} share it. */
  private queries: SerialQueries | undefined;
  private isConnected = false;
  private heartbeat: NodeJS.Timeout | undefined;
  /** When the current connection is replaced, by `performance.now()`. */
  private renewAt = Infinity;
  private timer: NodeJS.Timeout | undefined;
  private wait = FIRST_WAIT_MS;
  private lost = false;
  private closed = false;

  /** Ends the current connection. */
  private end: (error?: Error) => void = () => undefined;

  /** Milliseconds between two heartbeats. */
  heartbeatMs = HEARTBEAT_MS;

  constructor(private readonly source: DataSource) {}

  /** Registers a listener, before {@link start}. The channel must be a constant, never input. */
  on(channel: string, listener: Listener): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
  }

  /** Registers a function to call when the connection is opened, and when it is lost. */
  onConnection(follower: () => void): void {
    this.followers.push(follower);
  }

  /**
   * Rows of a statement on this connection.
   *
   * @throws Error when there is no connection, or no response in time; errors of `pg`
   */
  async query<T>(
    { name, text }: Statement,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<T[]> {
    const { queries } = this;
    if (!queries || !this.isConnected) throw new Error('the connection is not open');
    const query = { name, text, values: values as unknown[] };
    try {
      return (await queries.run<never>(query, timeoutMs)).rows;
    } catch (error) {
      if (error instanceof NoResponse && queries === this.queries)
        detached(() => {
          this.beat(SILENT_MS);
        });
      throw error;
    }
  }

  private connected(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    for (const follower of this.followers) follower();
  }

  /**
   * Starts to listen, and calls every listener once. If the connection fails, the service works
   * without it and it retries until it succeeds.
   */
  async start(): Promise<void> {
    if (!(await this.connect())) await this.tellAll();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    this.connected(false);
    clearTimeout(this.timer);
    clearTimeout(this.heartbeat);
    const ending = this.client?.end().catch(() => undefined);
    await Promise.race([ending, pause(CLOSE_MS, undefined, { ref: false })]);
  }

  /** Connects. @returns whether it listens now; otherwise it will retry */
  private async connect(): Promise<boolean> {
    if (this.closed || this.listeners.size + this.followers.length === 0) return true;
    const client = makeOwnConnection(this.source, APPLICATION_NAME);
    const queries = new SerialQueries(client);
    this.client = client;
    this.queries = queries;
    // The end of a connection emits `error`, `end`, or both.
    let ended = false;
    const end = (error?: Error): void => {
      if (ended) return;
      ended = true;
      this.connected(false);
      clearTimeout(this.heartbeat);
      void client.end().catch(() => undefined);
      this.retry(error);
    };
    this.end = end;
    client.on('error', end).on('end', () => {
      end();
    });
    client.on('notification', ({ channel, payload }) => {
      void this.tell(channel, payload === '' ? undefined : payload);
    });
    try {
      await client.connect();
      // The driver's types lack this method.
      (client as PoolClient & { unref(): void }).unref();
      const channels = [...this.listeners.keys()].map((name) => `LISTEN "${name}"`);
      const text = channels.join('; ') || 'SELECT 1';
      await queries.run({ text }, ANSWER_MS);
    } catch (error) {
      end(error as Error);
      return false;
    }
    if (this.lost) this.logger.warn('listening for notifications of the database again');
    this.lost = false;
    this.wait = FIRST_WAIT_MS;
    const lifetime = lifetimeOf(this.source);
    this.renewAt = lifetime === 0 ? Infinity : performance.now() + lifetime;
    this.connected(true);
    this.watch();
    // After LISTEN, because earlier changes were not received. One listener at a time, so that they
    // use one connection of the pool.
    for (const channel of this.listeners.keys()) await this.tell(channel, undefined);
    return true;
  }

  /**
   * Sends heartbeats: a stopped server, or a proxy that has lost its server, keeps the connection
   * open without sending notifications. Replaces an old connection, which may lead to a former
   * primary.
   */
  private watch(): void {
    const wait = Math.min(this.heartbeatMs, Math.max(1, this.renewAt - performance.now()));
    this.heartbeat = setTimeout(() => {
      if (performance.now() >= this.renewAt) this.end(RENEWED);
      else this.beat(ANSWER_MS);
    }, wait).unref();
  }

  /** Sends a heartbeat, and ends the connection without a response to it in time. */
  private beat(timeoutMs: number): void {
    clearTimeout(this.heartbeat);
    const { queries, end } = this;
    queries?.run({ text: 'SELECT 1' }, timeoutMs).then(() => {
      if (queries !== this.queries || this.closed) return;
      clearTimeout(this.heartbeat);
      this.watch();
    }, end);
  }

  private retry(error: Error | undefined): void {
    if (this.closed) return;
    // Logged once, not at each attempt.
    if (!this.lost && error !== RENEWED) {
      this.logger.warn(
        `not listening for notifications of the database: ${error?.message ?? 'connection ended'}`,
      );
    }
    this.lost ||= error !== RENEWED;
    this.timer = setTimeout(() => void this.connect(), error === RENEWED ? 0 : this.wait).unref();
    if (error !== RENEWED) this.wait = Math.min(this.wait * 2, MAX_WAIT_MS);
  }

  private async tellAll(): Promise<void> {
    await Promise.all([...this.listeners.keys()].map((channel) => this.tell(channel, undefined)));
  }

  /** Calls failed listeners again later, because the database may have been busy. */
  private tellLater(channel: string): void {
    if (this.closed) return;
    setTimeout(() => {
      if (!this.closed) void this.tell(channel, undefined);
    }, MAX_WAIT_MS).unref();
  }

  private async tell(channel: string, payload: string | undefined): Promise<void> {
    for (const listener of this.listeners.get(channel) ?? []) {
      try {
        await detached(() => listener(payload));
      } catch (error) {
        this.logger.warn(`cannot apply a notification of ${channel}: ${errorText(error)}`);
        this.tellLater(channel);
      }
    }
  }
}
