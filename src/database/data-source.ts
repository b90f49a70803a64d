import { DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { type PoolLimits } from './connection-pool';
import { MIGRATIONS } from './migrations';
import { LocalSettingsClient } from './local-settings-client';
import { PoolClient } from './pool-client';
import { establishSession, sessionSettingsOf } from './session';

/** A TypeORM entity. Areas own theirs; whoever starts the process brings them together. */
export type EntityClass = new () => object;

/**
 * How much longer a statement is waited for than PostgreSQL's own limit lets it run, as a part of
 * that limit and in milliseconds at least.
 */
const GRACE = 0.2;
const MIN_GRACE_MS = 500;

/**
 * Milliseconds of silence after which the other end of a connection is asked whether it is there.
 * Node asks ten times, a second apart; what waits for an answer then fails.
 */
export const KEEP_ALIVE_MS = 10_000;

/** When the process itself gives a statement up, as a server that vanished never will. */
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
 * The data source of a process. Every connection writes times in `TIME_ZONE` (D1), gives up on
 * statements and locks in time, and its pool refuses rather than waits for ever (D5).
 *
 * @param pooling whether a connection keeps its session, or each transaction brings its settings
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
