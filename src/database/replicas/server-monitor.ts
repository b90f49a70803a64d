import { type QueryConfig } from 'pg';
import { PoolClient } from '../pool-client';
import { parsePosition } from './log-position';

/** Milliseconds between the starts of two polls. */
export const POLL_MS = 100;
/** Milliseconds for a connection, and for a response: a frozen server sends none. */
const TIMEOUT_MS = 600;

// Of the primary the flushed position, because acknowledged commits are flushed; without
// synchronous_commit the inserted one.
export const POSITION = `CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
   WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
   ELSE pg_current_wal_flush_lsn() END::text`;

const POLL = `SELECT pg_is_in_recovery() AS standby, ${POSITION} AS position,
  CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn()::text END AS received,
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
    AS timeline`;

interface Row {
  readonly standby: boolean;
  readonly position: string | null;
  readonly received: string | null;
  readonly timeline: string | null;
}

/** The result of a poll. Positions are bytes of the write-ahead log. */
export interface ServerState {
  readonly isStandby: boolean;
  /** Replayed position of a standby, flushed position of a primary. */
  readonly position: number;
  /** Received position of a standby, which it may not have replayed. */
  readonly received: number;
  /** Timeline of a primary: each promotion increments it. */
  readonly timeline: number;
  /** `performance.now()` before the poll was sent, and after its response. */
  readonly askedAt: number;
  readonly respondedAt: number;
}

/**
 * Polls a PostgreSQL server on one connection. `ReplicaSet` decides from its positions whether a replica
 * lags.
 */
export class ServerMonitor {
  private client: PoolClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param onPoll called after each poll, with undefined when the server did not answer */
  constructor(
    readonly url: string,
    private readonly onPoll: (state: ServerState | undefined) => void,
  ) {}

  /** Polls until {@link close}. Fulfilled after the first poll. */
  async start(): Promise<void> {
    const startedAt = performance.now();
    const state = await this.poll().catch(() => undefined);
    if (this.closed) return;
    if (!state) this.disconnect();
    this.onPoll(state);
    const wait = Math.max(1, startedAt + POLL_MS - performance.now());
    this.timer = setTimeout(() => void this.start(), wait).unref();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.disconnect();
  }

  private disconnect(): void {
    this.client?.destroy();
    this.client = undefined;
  }

  private async poll(): Promise<ServerState> {
    if (!this.client) {
      this.client = new PoolClient({
        connectionString: this.url,
        application_name: 'commonplace-monitor',
        connectionTimeoutMillis: TIMEOUT_MS,
      });
      await this.client.connect();
      (this.client as PoolClient & { unref(): void }).unref();
    }
    const askedAt = performance.now();
    const query = { text: POLL, query_timeout: TIMEOUT_MS } as QueryConfig;
    const [row] = (await this.client.query<Row>(query)).rows;
    if (!row) throw new Error('no response');
    return {
      isStandby: row.standby,
      position: parsePosition(row.position ?? '0/0'),
      received: parsePosition(row.received ?? '0/0'),
      timeline: parseInt(row.timeline ?? '0', 16),
      askedAt,
      respondedAt: performance.now(),
    };
  }
}
