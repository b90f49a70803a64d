import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { PoolDriver } from './pool-driver';
import { type QueueLimits } from './pool-queue';

/** Limits of the pool in addition to the options of `pg`. */
export interface PoolLimits {
  /** Milliseconds after which a statement without a response is abandoned; 0 means no limit. */
  readonly queryTimeoutMs: number;
  /** The same for a statement without work, such as BEGIN. */
  readonly beginTimeoutMs: number;
  readonly queue: QueueLimits;
}

/** A pool of `pg` with its limits. */
export interface LimitedPool {
  readonly pool: Pool;
  readonly limits: PoolLimits;
  /** Maximum number of connections. */
  readonly size: number;
}

/** Minimum of the additional milliseconds that the process waits for a statement. */
const MIN_GRACE_MS = 500;

/**
 * Milliseconds that the process waits for a statement: a fifth longer than PostgreSQL's statement
 * timeout. 0 means no limit.
 */
export const clientTimeoutOf = (timeoutMs: number): number =>
  timeoutMs === 0 ? 0 : timeoutMs + Math.max(MIN_GRACE_MS, timeoutMs / 5);

const NO_LIMITS: PoolLimits = {
  queryTimeoutMs: 0,
  beginTimeoutMs: 0,
  queue: { length: Infinity, requestTimeoutMs: Infinity, timeoutMs: 0 },
};

/** TypeORM's pool. @throws Error for a data source that `makeDataSource` did not create */
export function poolOf({ options }: DataSource): LimitedPool {
  const { driver, extra, poolSize } = options as {
    driver?: unknown;
    extra?: { limits?: PoolLimits };
    poolSize?: number;
  };
  if (!(driver instanceof PoolDriver)) throw new Error('the data source has no PoolDriver');
  return {
    get pool() {
      return driver.pool;
    },
    limits: extra?.limits ?? NO_LIMITS,
    size: poolSize ?? Infinity,
  };
}
