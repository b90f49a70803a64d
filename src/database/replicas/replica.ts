import { type Pool } from 'pg';
import { ConnectionPool } from '../connection-pool';
import { type PoolLimits } from '../limited-pool';
import { hasNoResponse } from '../database-errors';
import { type PoolClient } from '../pool-client';
import { ClientLeft, PoolBusy } from '../pool-queue';
import { type StatementUse } from '../pool-shares';
import { type Statement } from '../statement';
import { type ServerState } from './server-monitor';
import { hostOf } from './server-list';

/** SQLSTATE of a statement that took longer than its limit: it would on the primary too. */
const TOO_LONG = '57014';

/** A read replica: its connections, and what is known about its state. */
export class Replica {
  readonly name: string;
  state: ServerState | undefined;
  /** Whether it had replayed more than the primary had written: it then follows another server. */
  isAhead = false;
  /** `performance.now()` when a statement last lost its connection. */
  private failedAt = -Infinity;
  private readonly connections: ConnectionPool;
  private readonly clients = new Set<PoolClient>();

  constructor(
    readonly url: string,
    private readonly pool: Pool,
    limits: PoolLimits,
  ) {
    this.name = hostOf(url);
    this.connections = new ConnectionPool({ pool, limits, size: pool.options.max });
    pool.on('connect', (client) => this.clients.add(client as unknown as PoolClient));
    pool.on('remove', (client) => this.clients.delete(client as unknown as PoolClient));
    pool.on('error', () => undefined);
  }

  /** Number of statements that wait for a connection. */
  get waiting(): number {
    return this.connections.waiting;
  }

  /** Position that it had replayed at the last poll; undefined when it is not a usable standby. */
  get position(): number | undefined {
    const { state } = this;
    if (!state?.isStandby || state.askedAt <= this.failedAt) return undefined;
    return this.isAhead ? undefined : state.position;
  }

  /** Rows of a statement. @throws errors of `ConnectionPool.query` */
  async query<T>(what: Statement, values: readonly unknown[], use?: StatementUse): Promise<T[]> {
    try {
      return await this.connections.query<T>(what, values, this.connections.requester(use));
    } catch (error) {
      if (hasNoResponse(error)) this.failedAt = performance.now();
      throw error;
    }
  }

  /** Ends all connections, so that statements on a server that does not answer fail at once. */
  disconnect(): void {
    this.connections.renew();
    for (const client of this.clients) client.destroy();
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** Whether a statement that failed on a replica may succeed on the primary. */
export const canRetryOnPrimary = (error: unknown): boolean =>
  !(error instanceof PoolBusy) &&
  !(error instanceof ClientLeft) &&
  (error as { code?: unknown }).code !== TOO_LONG;
