import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type QueryConfig } from 'pg';
import { DataSource } from 'typeorm';
import { makeOwnConnection } from './own-connection';
import { type PoolClient } from './pool-client';

/** Milliseconds before a lost connection is tried again: the first time, and at most. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5000;
/** Milliseconds between two looks whether the server still answers, and that an answer may take. */
const HEARTBEAT_MS = 30_000;
const ANSWER_MS = 5000;

/** Milliseconds that the connection gets to end: one whose other end is gone never would. */
const CLOSE_MS = 500;

/** Named apart from the pool's connections, so that operators can tell them. */
const APPLICATION_NAME = 'commonplace-listener';

/**
 * Called with a message's payload, or with undefined when anything may have changed: at the start,
 * after the connection was lost, and for messages without a payload.
 */
export type Listener = (payload: string | undefined) => void | Promise<void>;

/**
 * What other processes say through PostgreSQL's LISTEN and NOTIFY, on one connection beside the
 * pool, which is made again whenever it is lost. It never keeps the process alive.
 *
 * Nothing is heard before {@link start}: commands that end at once have no use for it.
 */
@Injectable()
export class Notifications implements OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly listeners = new Map<string, Listener[]>();
  private client: PoolClient | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wait = FIRST_WAIT_MS;
  private lost = false;
  private closed = false;

  /** Milliseconds between two looks whether the server still answers. */
  heartbeatMs = HEARTBEAT_MS;

  constructor(private readonly source: DataSource) {}

  /** Hears a channel. Before {@link start} only; the name is the program's own, never input. */
  on(channel: string, listener: Listener): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
  }

  /**
   * Begins to listen, and tells every listener to look for itself once. A server that cannot
   * listen yet works all the same: it tries again until it can.
   */
  async start(): Promise<void> {
    if (!(await this.connect())) await this.tellAll();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.heartbeat);
    const ending = this.client?.end().catch(() => undefined);
    await Promise.race([ending, pause(CLOSE_MS, undefined, { ref: false })]);
  }

  /** Whether it listens now; if not, it will try again. */
  private async connect(): Promise<boolean> {
    if (this.closed || this.listeners.size === 0) return true;
    const { url } = this.source.options as { url?: string };
    const client = makeOwnConnection(url, APPLICATION_NAME);
    this.client = client;
    // Whatever ends it says so once or twice: by an error, by its end, or by both.
    let ended = false;
    const end = (error?: Error): void => {
      if (ended) return;
      ended = true;
      clearTimeout(this.heartbeat);
      void client.end().catch(() => undefined);
      this.retry(error);
    };
    client.on('error', end).on('end', () => {
      end();
    });
    client.on('notification', ({ channel, payload }) => {
      void this.tell(channel, payload === '' ? undefined : payload);
    });
    try {
      await client.connect();
      // The driver's types lack it.
      (client as PoolClient & { unref(): void }).unref();
      const channels = [...this.listeners.keys()].map((name) => `LISTEN "${name}"`);
      await client.query({ text: channels.join('; '), query_timeout: ANSWER_MS } as QueryConfig);
    } catch (error) {
      end(error as Error);
      return false;
    }
    if (this.lost) this.logger.warn('listening to the database again');
    this.lost = false;
    this.wait = FIRST_WAIT_MS;
    this.watch(client, end);
    // Only now, as what changed before it listened was not heard.
    await this.tellAll();
    return true;
  }

  /**
   * Looks now and then whether the server answers: one that stands still, or a proxy whose server is
   * gone, keeps the connection open and tells nothing.
   */
  private watch(client: PoolClient, end: (error: Error) => void): void {
    this.heartbeat = setTimeout(() => {
      client.query({ text: 'SELECT 1', query_timeout: ANSWER_MS } as QueryConfig).then(() => {
        if (client === this.client && !this.closed) this.watch(client, end);
      }, end);
    }, this.heartbeatMs).unref();
  }

  private retry(error: Error | undefined): void {
    if (this.closed) return;
    // Once, not at each attempt.
    if (!this.lost) {
      this.logger.warn(`not listening to the database: ${error?.message ?? 'connection ended'}`);
    }
    this.lost = true;
    this.timer = setTimeout(() => void this.connect(), this.wait).unref();
    this.wait = Math.min(this.wait * 2, MAX_WAIT_MS);
  }

  private async tellAll(): Promise<void> {
    await Promise.all([...this.listeners.keys()].map((channel) => this.tell(channel, undefined)));
  }

  /** Whoever could not look looks again: the database may have been busy. */
  private tellLater(channel: string): void {
    if (this.closed) return;
    setTimeout(() => {
      if (!this.closed) void this.tell(channel, undefined);
    }, MAX_WAIT_MS).unref();
  }

  private async tell(channel: string, payload: string | undefined): Promise<void> {
    for (const listener of this.listeners.get(channel) ?? []) {
      try {
        await listener(payload);
      } catch (error) {
        this.logger.warn(`a change of ${channel} was not followed: ${(error as Error).message}`);
        this.tellLater(channel);
      }
    }
  }
}
