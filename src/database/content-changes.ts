import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ResponseCache, type ChangeFeed } from '../api/cache/response-cache';
import { Settings } from '../config/settings';
import { detached } from '../api/http/current-request';
import { Database } from './database';
import { DirectDatabase } from './direct-database';
import { Notifications } from './notifications';
import { parsePosition } from './replicas/log-position';
import { ScheduledTask } from './scheduled-task';
import { statement } from './statement';
import { type TransactionChanges, type WriteObserver } from './write-observer';

/** Milliseconds between the starts of two readings, while responses are answered from memory. */
const INTERVAL_MS = 30;
/** Milliseconds without a lookup after which reading stops. */
const IDLE_MS = 2000;
/** Milliseconds for a reading: a lost server never responds. */
const TIMEOUT_MS = 1000;
/** Milliseconds without a reading after which changes may have been removed. */
const MAX_GAP_MS = 60_000;

/** Depends on the date: `today` changes at midnight in `TIME_ZONE`. */
const TODAY = 'today';

// And again a moment after midnight: the clock of a replica may be behind that of the primary, so that
// the responses that it has made since midnight are those of the day before.
const DATES = `(SELECT string_agg(((now() - late) AT TIME ZONE $2)::date::text, ' ')
   FROM unnest('{0s,2s,10s,60s}'::interval[]) AS late)`;

// Not the flushed position: commits of imports are visible before they are flushed.
const POSITION = `CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
   ELSE pg_current_wal_insert_lsn() END::text`;

/** SQL of the transactions that ran when a snapshot was taken, as an array. */
const runningIn = (snapshot: string): string =>
  `ARRAY(SELECT running::text::bigint FROM pg_snapshot_xip(${snapshot}) running)`;

// Rows of the transactions that were not visible in the snapshot of the reading before, if any,
// without the transactions $3. It does not start at its lowest running transaction: one that runs
// for long, of any database of the server, would make each reading compare all changes since its
// begin.
const READ = statement(
  'changes.read',
  `SELECT pg_current_snapshot()::text AS snapshot, ${POSITION} AS position, ${DATES} AS today,
     extract(epoch FROM clock_timestamp())::float8 * 1000 AS "readAt",
     (SELECT array_agg(key) FROM (
        SELECT xid, keys FROM content_changes
        WHERE xid >= pg_snapshot_xmax($1::pg_snapshot)::text::bigint
        UNION ALL
        SELECT xid, keys FROM content_changes WHERE xid = ANY(${runningIn('$1::pg_snapshot')})
      ) c, unnest(c.keys) AS key WHERE xid <> ALL($3::bigint[])) AS keys`,
);

interface Reading {
  readonly snapshot: string;
  /** Position in the write-ahead log after all changes that the snapshot contains. */
  readonly position: string;
  /** The date, and those of some moments before. */
  readonly today: string;
  /** Milliseconds since 1970, by the clock of PostgreSQL. */
  readonly readAt: number;
  readonly keys: readonly string[] | null;
}

/**
 * Reads the log of committed changes, which triggers write in the transactions of the changes, for
 * the responses in memory. It uses the connection of {@link Notifications}: when that is lost,
 * nothing is answered from memory. NOTIFY itself is not used, because it serializes all commits.
 *
 * Transactions of this process report their own changes, unless there are replicas: then the
 * position of the changes in the write-ahead log is needed.
 */
@Injectable()
export class ContentChanges
  implements ChangeFeed, WriteObserver, OnApplicationBootstrap, OnModuleDestroy
{
  private snapshot: string | undefined;
  private restarts = 0;
  private today: string | undefined;
  /** By `performance.now()`, and by the clock of PostgreSQL. */
  private readAt = -Infinity;
  private readAtServer = -Infinity;
  private usedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<boolean> | undefined;
  private next: Promise<boolean> | undefined;
  private closed = false;
  /** Transactions whose changes were reported, which the next reading leaves out. */
  private readonly reportedXids = new Set<string>();
  /** Number of writes whose changes must be read from the log; of those before the last reading. */
  private writes = 0;
  private writesRead = 0;

  constructor(
    private readonly cache: ResponseCache,
    private readonly notifications: Notifications,
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly direct: DirectDatabase,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.cache.isEnabled) return;
    this.notifications.onConnection(() => {
      this.restart();
    });
    this.cache.connect(this);
    this.database.observer = this;
    this.direct.observer = this;
  }

  onModuleDestroy(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  get isReading(): boolean {
    return this.timer !== undefined || this.current !== undefined;
  }

  get knowsOwnChanges(): boolean {
    return this.writes === this.writesRead;
  }

  get wantsChanges(): boolean {
    return this.isReading && this.snapshot !== undefined && !this.database.replicas;
  }

  committed({ xid, keys }: TransactionChanges): void {
    if (xid === null || !keys) return;
    this.reportedXids.add(xid);
    this.cache.change(keys, Infinity);
  }

  wrote(): void {
    this.writes += 1;
  }

  keepReading(): void {
    this.usedAt = performance.now();
    if (this.timer || this.current || this.closed) return;
    void this.read();
  }

  /** A reading that begins after the call; concurrent callers share it. */
  read(): Promise<boolean> {
    if (!this.current) return this.begin();
    return (this.next ??= this.current.then(() => {
      this.next = undefined;
      return this.begin();
    }));
  }

  private begin(): Promise<boolean> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const startedAt = performance.now();
    // Later readings follow this one, and do not belong to the request that needs it.
    return detached(() => {
      const reading = this.readOnce(startedAt).catch(() => false);
      this.current = reading;
      void reading.then(() => {
        this.current = undefined;
        this.continueAt(startedAt + INTERVAL_MS);
      });
      return reading;
    });
  }

  private continueAt(time: number): void {
    const now = performance.now();
    if (this.closed || this.next || now > this.usedAt + IDLE_MS) return;
    this.timer = setTimeout(() => void this.read(), Math.max(1, time - now));
    this.timer.unref();
  }

  private async readOnce(startedAt: number): Promise<boolean> {
    if (startedAt > this.readAt + MAX_GAP_MS) this.restart();
    const { restarts, writes } = this;
    const reported = [...this.reportedXids];
    const values = [this.snapshot ?? null, this.settings.TIME_ZONE, reported];
    const [reading] = await this.notifications.query<Reading>(READ, values, TIMEOUT_MS);
    // The connection may have been replaced meanwhile.
    if (!reading || restarts !== this.restarts) return false;
    // The clock of a paused virtual machine stops with it, and hides the gap.
    if (this.snapshot !== undefined && reading.readAt > this.readAtServer + MAX_GAP_MS) {
      this.restart();
      return false;
    }
    // The first reading tells nothing about changes before it.
    const position = parsePosition(reading.position);
    if (this.snapshot === undefined) {
      this.cache.changeAll();
      this.cache.resume(position);
    }
    const keys = [...(reading.keys ?? [])];
    if (reading.today !== this.today) keys.push(TODAY);
    if (keys.length > 0) this.cache.change(keys, position);
    this.snapshot = reading.snapshot;
    this.today = reading.today;
    this.readAt = startedAt;
    this.readAtServer = reading.readAt;
    this.writesRead = writes;
    // The snapshot contains them.
    for (const xid of reported) this.reportedXids.delete(xid);
    this.cache.trust(startedAt);
    return true;
  }

  /** Call it when changes may have been missed. */
  private restart(): void {
    this.restarts += 1;
    this.snapshot = undefined;
    this.reportedXids.clear();
    this.cache.changeAll();
  }
}

const SNAPSHOT = statement('changes.snapshot', 'SELECT pg_current_snapshot()::text AS snapshot');

// Transactions that are visible in an older snapshot.
const SWEEP = statement(
  'changes.sweep',
  `WITH gone AS (DELETE FROM content_changes WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM content_changes WHERE xid < pg_snapshot_xmax($2::pg_snapshot)::text::bigint
         AND xid <> ALL(${runningIn('$2::pg_snapshot')}) LIMIT $1))
     RETURNING 1)
   SELECT count(*)::int AS n FROM gone`,
);

/** Maximum number of rows that one statement deletes. */
const BATCH = 5000;

/**
 * Deletes changes that were committed before the last run, two minutes ago. A process that has not
 * read them by then starts afresh.
 */
@Injectable()
export class ContentChangesSweeper extends ScheduledTask {
  override readonly taskName = 'content-changes';
  override readonly intervalSeconds = (2 * MAX_GAP_MS) / 1000;
  private snapshot: string | undefined;

  constructor(private readonly database: Database) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const before = this.snapshot;
    const [now] = await this.database.query<{ snapshot: string }>(SNAPSHOT);
    for (let removed = BATCH; before !== undefined && removed === BATCH;) {
      signal.throwIfAborted();
      const [row] = await this.database.query<{ n: number }>(SWEEP, [BATCH, before]);
      removed = row?.n ?? 0;
    }
    this.snapshot = now?.snapshot;
  }
}
