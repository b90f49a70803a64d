import { type QueryConfig, type QueryResult } from 'pg';
import { PoolClient } from '../pool-client';
import { type ClusterTimeline } from './known-timeline';
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

// Of the primary: pg_control_checkpoint() has the timeline before a promotion until a checkpoint
// ends.
export const TIMELINE = `CASE WHEN NOT pg_is_in_recovery() THEN
   left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END`;

// A standby never returns to an earlier timeline, so the highest value counts. Only members of
// pg_read_all_stats see received_tli; the control file has a timeline at the latest one
// restartpoint after the standby has reached it. Each value is read after the position.
const RECEIVED_TIMELINE = '(SELECT received_tli FROM pg_stat_wal_receiver)';
const REACHED_TIMELINE = `(SELECT timeline_id FROM pg_control_checkpoint()),
   (SELECT min_recovery_end_timeline FROM pg_control_recovery())`;

const pollOf = (system: string, ...timelines: readonly string[]): string =>
  `SELECT pg_is_in_recovery() AS standby, ${POSITION} AS position, ${TIMELINE} AS timeline,
     CASE WHEN pg_is_in_recovery() THEN greatest(${timelines.join(', ')}) END AS followed,
     ${system}::text AS system, pg_postmaster_start_time()::text AS started`;

const SYSTEM = '(SELECT system_identifier FROM pg_control_system())';
const POLL = pollOf(SYSTEM, RECEIVED_TIMELINE, REACHED_TIMELINE);
/** For a role that may not call the functions: the timeline of a standby is not known then. */
const LIMITED_POLL = pollOf('NULL', 'NULL::integer');
const FORBIDDEN = '42501';

interface Row {
  readonly standby: boolean;
  readonly position: string | null;
  readonly timeline: string | null;
  readonly followed: number | null;
  readonly system: string | null;
  readonly started: string;
}

/** The result of a poll. Positions are bytes of the write-ahead log. */
export interface ServerState extends ClusterTimeline {
  readonly isStandby: boolean;
  /** Replayed position of a standby, flushed position of a primary. */
  readonly position: number;
  /**
   * Timeline: each promotion increments it. That of a standby contains its replayed position; 0
   * when it is not known.
   */
  readonly timeline: number;
  /** `performance.now()` before the poll was sent, and after its response. */
  readonly askedAt: number;
  readonly respondedAt: number;
}

/**
 * Polls a PostgreSQL server on one connection. `ReplicaSet` decides from its positions whether a
 * replica lags.
 */
export class ServerMonitor {
  private client: PoolClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Whether the last poll that failed had no response in time. */
  isSilent = false;
  private closed = false;
  private text = POLL;
  /** Last known timeline of a standby, which a standby without a receiver does not report. */
  private followed = { started: '', timeline: 0 };

  /** @param onPoll called after each poll, with undefined when the server did not answer */
  constructor(
    readonly url: string,
    private readonly onPoll: (state: ServerState | undefined) => void,
  ) {}

  /** Polls until {@link close}. Fulfilled after the first poll. */
  async start(): Promise<void> {
    const startedAt = performance.now();
    const state = await this.poll().catch((error: unknown) => {
      // Errors of the server and of the network have codes.
      this.isSilent = typeof (error as { code?: unknown }).code !== 'string';
      return undefined;
    });
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
    const { client } = this;
    const ask = (): Promise<QueryResult<Row>> =>
      client.query<Row>({ text: this.text, query_timeout: TIMEOUT_MS } as QueryConfig);
    const { rows } = await ask().catch((error: unknown) => {
      const isForbidden = (error as { code?: unknown }).code === FORBIDDEN;
      if (!isForbidden || this.text === LIMITED_POLL) throw error;
      this.text = LIMITED_POLL;
      return ask();
    });
    const [row] = rows;
    if (!row) throw new Error('no response');
    return {
      isStandby: row.standby,
      position: parsePosition(row.position ?? '0/0'),
      system: row.system ?? '',
      timeline: row.standby ? this.followedBy(row) : parseInt(row.timeline ?? '0', 16),
      askedAt,
      respondedAt: performance.now(),
    };
  }

  /** Timeline of a standby; a server that was restarted may have other data. */
  private followedBy({ started, followed }: Row): number {
    const last = this.followed.started === started ? this.followed.timeline : 0;
    this.followed = { started, timeline: Math.max(last, followed ?? 0) };
    return this.followed.timeline;
  }
}
