import { DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { type PoolLimits } from './connection-pool';
import { MIGRATIONS } from './migrations';
import { LocalSettingsClient } from './local-settings-client';
import { PoolClient } from './pool-client';
import { PoolDriver } from './pool-driver';
import { establishSession, sessionSettingsOf } from './session';

/** A TypeORM entity. Each area has its own; `src/server/entities.ts` lists them. */
export type EntityClass = new () => object;

/**
 * How much longer the process waits for a statement than PostgreSQL's statement timeout: a fraction
 * of the timeout, and a minimum in milliseconds.
 */
const GRACE = 0.2;
const MIN_GRACE_MS = 500;

/**
 * Milliseconds of silence before TCP keep-alive probes. Node sends ten, one per second; then the
 * connection fails.
 */
export const KEEP_ALIVE_MS = 10_000;

/** Limits after which the process abandons a statement, for a server that vanished. */
function limitsOf(settings: Settings): PoolLimits {
  const limit = settings.DATABASE_STATEMENT_TIMEOUT_MS;
  return {
    queryTimeoutMs: limit === 0 ? 0 : limit + Math.max(MIN_GRACE_MS, limit * GRACE),
    beginTimeoutMs: settings.DATABASE_CONNECT_TIMEOUT_MS,
    queue: {
      length: settings.DATABASE_QUEUE,
      requestTimeoutMs: settings.DATABASE_QUEUE_TIMEOUT_MS,
      timeoutMs: settings.DATABASE_CONNECT_TIMEOUT_MS,
    },
  };
}

/**
 * The data source of a process. Every connection formats times in `TIME_ZONE` (D1) and has
 * statement and lock timeouts. Its pool rejects requests instead of an unlimited wait (D5).
 *
 * @param pooling `transaction` if each transaction has to apply the session settings
 */
export function makeDataSource(
  settings: Settings,
  url: string,
  entities: readonly EntityClass[],
  pooling: Settings['DATABASE_POOLING'] = 'session',
): DataSource {
  const session = sessionSettingsOf(settings);
  const pooled = pooling === 'transaction';
  const patience = settings.DATABASE_CONNECT_TIMEOUT_MS;
  return new DataSource({
    type: 'postgres',
    url,
    entities: [...entities],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    applicationName: 'commonplace',
    poolSize: settings.DATABASE_POOL,
    driver: new PoolDriver(),
    extra: {
      Client: pooled ? LocalSettingsClient : PoolClient,
      limits: limitsOf(settings),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      maxLifetimeSeconds: settings.DATABASE_CONNECTION_LIFETIME_SECONDS,
      connectionTimeoutMillis: settings.DATABASE_CONNECT_TIMEOUT_MS,
      session,
      onConnect: pooled
        ? undefined
        : (client: PoolClient) => establishSession(client, session, patience),
    },
  });
}
