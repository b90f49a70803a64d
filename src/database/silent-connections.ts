import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type QueryConfig } from 'pg';
import { DirectDatabase } from './direct-database';
import { makeOwnConnection } from './own-connection';
import { type PoolClient } from './pool-client';

// A session that waits for its client owes no response. During a COPY it is `active` meanwhile.
// Those of other roles have no state.
const WORKING = `SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[])
  AND (state IS NULL OR state NOT LIKE 'idle%') AND wait_event_type IS DISTINCT FROM 'Client'`;

/** Milliseconds for the response to this statement. */
const RESPONSE_MS = 5000;

/** A connection that waits for a response. Times are of `performance.now()`. */
interface Waiting {
  /** Has been the same since the first check. */
  readonly traffic: string;
  readonly firstCheckAt: number;
  /** Milliseconds after which it is closed while PostgreSQL does not work for it. */
  readonly timeoutMs: number;
  /** First of the checks that found no work of PostgreSQL. */
  readonly idleSince: number;
}

/**
 * Closes connections of background work and of long requests that wait for a response while
 * PostgreSQL does not work on their statement: the statement or its response was lost. Statements
 * that move much data have no time limit, or one of minutes, and TCP keep-alive does not notice a
 * proxy that has stopped forwarding. A transaction is retried once on another connection.
 */
@Injectable()
export class SilentConnections implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SilentConnections.name);
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
  private waiting = new Map<PoolClient, Waiting>();

  /** Milliseconds between two checks. */
  intervalMs = 10_000;
  /** Milliseconds after which a connection of background work is closed while PostgreSQL is idle. */
  timeoutMs = 60_000;
  /** The same while PostgreSQL cannot be asked, because it accepts no other connection either. */
  unreachableMs = 600_000;

  constructor(private readonly database: DirectDatabase) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.check(), this.intervalMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      this.waiting = await this.closeSilent(this.findWaiting());
    } finally {
      this.isChecking = false;
    }
  }

  private findWaiting(): Map<PoolClient, Waiting> {
    const firstCheckAt = performance.now();
    const found = new Map<PoolClient, Waiting>();
    const { backgroundConnections, longRequestConnections } = this.database;
    for (const client of [...backgroundConnections, ...longRequestConnections]) {
      if (client.readyForQuery || client.backendPid === undefined) continue;
      const { traffic } = client;
      const before = this.waiting.get(client);
      // Somebody waits for a request.
      const timeoutMs = longRequestConnections.includes(client) ? 0 : this.timeoutMs;
      found.set(
        client,
        before?.traffic === traffic
          ? before
          : { traffic, firstCheckAt, timeoutMs, idleSince: Infinity },
      );
    }
    return found;
  }

  /** @returns connections to check again */
  private async closeSilent(
    waiting: ReadonlyMap<PoolClient, Waiting>,
  ): Promise<Map<PoolClient, Waiting>> {
    // Most statements end before their second check, so that no connection is opened for them.
    const clients = [...waiting.keys()];
    const isRepeated = clients.some((client) => this.waiting.has(client));
    const working = isRepeated ? await this.findWorking(clients) : undefined;
    const now = performance.now();
    const next = new Map<PoolClient, Waiting>();
    for (const [client, found] of waiting) {
      const isWorking = working?.has(client.backendPid);
      if (isWorking === true) {
        next.set(client, { ...found, firstCheckAt: now, idleSince: Infinity });
        continue;
      }
      const idleSince = isWorking === false ? Math.min(found.idleSince, now) : found.idleSince;
      const isSilent =
        (isWorking === false && now - idleSince >= found.timeoutMs) ||
        now - found.firstCheckAt >= this.unreachableMs;
      if (!isSilent) next.set(client, { ...found, idleSince });
      else if (!client.readyForQuery && client.traffic === found.traffic) this.close(client);
    }
    return next;
  }

  private close(client: PoolClient): void {
    this.logger.warn('a connection to the database does not respond and is closed');
    client.destroy();
  }

  /** @returns ids of sessions that work on a statement; undefined if PostgreSQL does not respond */
  private async findWorking(
    clients: readonly PoolClient[],
  ): Promise<Set<number | undefined> | undefined> {
    const connection = makeOwnConnection(this.database.source, 'commonplace-watch');
    const values = [clients.map(({ backendPid }) => backendPid)];
    const query = { text: WORKING, values, query_timeout: RESPONSE_MS };
    try {
      await connection.connect();
      const { rows } = await connection.query<{ pid: number }>(query as QueryConfig);
      return new Set(rows.map(({ pid }) => pid));
    } catch {
      return undefined;
    } finally {
      await connection.end().catch(() => undefined);
    }
  }
}
