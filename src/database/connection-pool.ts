import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { isConnectionLost, isReadOnly, isSilent, leavesConnectionUsable } from './database-errors';
import { type PoolClient } from './pool-client';

/** A connection that is in use, until it is released. */
export type UsedClient = PoolClient & { release(error?: Error): void };

/** What the data source says about its pool besides the options of `pg`. */
export interface PoolTimeouts {
  /** Milliseconds after which a statement that was not answered is given up; 0 is no limit. */
  readonly queryTimeoutMs: number;
  /** The same for a statement that does nothing, such as BEGIN. */
  readonly beginTimeoutMs: number;
}

const NO_TIMEOUTS: PoolTimeouts = { queryTimeoutMs: 0, beginTimeoutMs: 0 };

/**
 * TypeORM's own pool of `pg`, which takes back connections that can be used again only. When one
 * turns out to be dead, those that were opened before it was noticed are not trusted either: what
 * cut one off, such as a failover, has cut off all of them.
 */
export class ConnectionPool {
  private trustedSince = 0;

  constructor(private readonly source: DataSource) {}

  /** The pool itself. */
  get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  get timeouts(): PoolTimeouts {
    const { extra } = this.source.options as { extra?: { timeouts?: PoolTimeouts } };
    return extra?.timeouts ?? NO_TIMEOUTS;
  }

  /**
   * A connection that was not found to be dead.
   *
   * @throws Error of `pg` when there is none in time
   */
  async acquire(): Promise<UsedClient> {
    for (;;) {
      const client = (await this.pool.connect()) as unknown as UsedClient;
      if (client.createdAt >= this.trustedSince) return client;
      client.release(new Error('opened before a connection was lost'));
    }
  }

  /**
   * Gives a connection back, or ends it when it must not be used again.
   *
   * @param error what the last statement failed with
   */
  release(client: UsedClient, error?: unknown): void {
    if (error === undefined || leavesConnectionUsable(error)) {
      client.release();
      return;
    }
    if (isSilent(error) || isConnectionLost(error) || isReadOnly(error)) {
      this.trustedSince = performance.now();
    }
    client.release(error as Error);
  }
}
