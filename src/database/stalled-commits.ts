import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Pool, type QueryConfig } from 'pg';
import { PoolClient } from './pool-client';

/** Milliseconds after which a COMMIT counts as slow and the reason is checked. */
const SLOW_MS = 2000;
/** Milliseconds between two checks whether sessions still wait. */
const CHECK_MS = 1000;
/** Milliseconds for a connection, and for a response. */
const TIMEOUT_MS = 5000;

/** Sessions of the service that wait for a synchronous standby; usually this takes milliseconds. */
const STALLED = `SELECT EXISTS (SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep'
    AND query_start < clock_timestamp() - interval '1.5 seconds') AS stalled`;

/** Writes are rejected, because earlier ones wait for a synchronous standby. */
export class WritesStalled extends Error {
  constructor() {
    super('writes wait for a synchronous standby that does not respond');
  }
}

/**
 * Notices that commits wait for a synchronous standby (`synchronous_standby_names`). PostgreSQL
 * does not end such a session when its client has closed the connection, so that each further write
 * would take one more of `max_connections`, until reads have none. Cancelling the wait would make
 * the write visible although it is not replicated.
 */
export class StalledCommits {
  private readonly logger = new Logger(StalledCommits.name);
  private stalled = false;
  private checking: Promise<void> | undefined;

  /**
   * @param pool whose server is asked, on another connection: its own may all be in use
   * @param onStall ends the writes in progress, which could not commit
   */
  constructor(
    private readonly pool: () => Pool,
    private readonly onStall: () => void,
  ) {}

  /** Whether to reject writes. */
  get isStalled(): boolean {
    return this.stalled;
  }

  /** Waits for a COMMIT, and checks the reason if it takes long. */
  async watch<T>(commit: Promise<T>): Promise<T> {
    const timer = setTimeout(this.check, SLOW_MS).unref();
    try {
      return await commit;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Checks whether sessions wait, before the first write of a process: those of a former process
   * may. Each process would otherwise add sessions until it notices.
   */
  async checkAtStart(): Promise<void> {
    await this.checkOnce();
    if (this.stalled) this.check();
  }

  /** Checks whether sessions wait, and again until none does. */
  readonly check = (): void => {
    this.checking ??= this.checkUntilNoneWaits().finally(() => {
      this.checking = undefined;
    });
  };

  private async checkUntilNoneWaits(): Promise<void> {
    do {
      await this.checkOnce();
      if (this.stalled) await pause(CHECK_MS, undefined, { ref: false });
    } while (this.stalled && !this.pool().ending);
  }

  private async checkOnce(): Promise<void> {
    // While the server cannot be asked, writes fail anyway.
    const stalled = await this.ask().catch(() => this.stalled);
    if (stalled && !this.stalled) {
      this.logger.error(`${new WritesStalled().message}; further writes are rejected`);
    } else if (!stalled && this.stalled) {
      this.logger.log('the synchronous standby responds; writes are accepted');
    }
    const begins = stalled && !this.stalled;
    this.stalled = stalled;
    if (begins) this.onStall();
  }

  private async ask(): Promise<boolean> {
    const { options } = this.pool();
    const client = new PoolClient({ ...options, connectionTimeoutMillis: TIMEOUT_MS });
    try {
      await client.connect();
      const query = { text: STALLED, query_timeout: TIMEOUT_MS } as QueryConfig;
      const { rows } = await client.query<{ stalled: boolean }>(query);
      return rows[0]?.stalled === true;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
