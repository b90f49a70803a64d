import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { clientTimeoutOf, type PoolLimits } from './limited-pool';
import { MIGRATIONS } from './migrations';
import { LocalSettingsClient } from './local-settings-client';
import { PoolClient } from './pool-client';
import { PoolDriver } from './pool-driver';
import { Replica } from './replicas/replica';
import { findPrimary, type Primary } from './replicas/find-primary';
import { ReplicaSet } from './replicas/replica-set';
import { hostOf, ServerList } from './replicas/server-list';
import { establishSession, sessionSettingsOf } from './session';

/** A TypeORM entity. Each area has its own; `src/server/entities.ts` lists them. */
export type EntityClass = new () => object;

/**
 * Milliseconds of silence before TCP keep-alive probes. Node sends ten, one per second; then the
 * connection fails.
 */
export const KEEP_ALIVE_MS = 10_000;

/** Limits after which the process abandons a statement, for a server that vanished. */
function limitsOf(settings: Settings): PoolLimits {
  const limit = settings.DATABASE_STATEMENT_TIMEOUT_MS;
  return {
    queryTimeoutMs: clientTimeoutOf(limit),
    beginTimeoutMs: settings.DATABASE_CONNECT_TIMEOUT_MS,
    queue: {
      length: settings.DATABASE_QUEUE,
      requestTimeoutMs: settings.DATABASE_QUEUE_TIMEOUT_MS,
      timeoutMs: settings.DATABASE_CONNECT_TIMEOUT_MS,
    },
  };
}

/** Options of `pg` for the pool of one server. */
interface PoolExtra extends PoolConfig {
  readonly limits: PoolLimits;
  /** Servers of which connections go to the current one. */
  readonly servers?: ServerList;
  readonly replicas?: ReplicaSet | undefined;
}

/** The server is a standby, although connections are for writes. SQLSTATE as for a write on it. */
class StandbyError extends Error {
  readonly code = '25006';
  readonly severity = 'FATAL';
}

function poolExtra(
  settings: Settings,
  pooling: Settings['DATABASE_POOLING'],
  servers?: ServerList,
): PoolExtra {
  const session = sessionSettingsOf(settings);
  const pooled = pooling === 'transaction';
  const patience = settings.DATABASE_CONNECT_TIMEOUT_MS;
  const onConnect = async (client: PoolClient): Promise<void> => {
    if (servers?.requiresPrimary && (await client.isOnStandby(patience))) {
      throw new StandbyError('the server is a standby; no primary server is known');
    }
    if (!pooled) client.backendPid = await establishSession(client, session, patience);
  };
  return {
    Client: pooled ? LocalSettingsClient : PoolClient,
    limits: limitsOf(settings),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    maxLifetimeSeconds: settings.DATABASE_CONNECTION_LIFETIME_SECONDS,
    connectionTimeoutMillis: settings.DATABASE_CONNECT_TIMEOUT_MS,
    ...{ session, servers },
    onConnect: pooled && !servers?.requiresPrimary ? undefined : onConnect,
  } as unknown as PoolExtra;
}

/** The servers of an address, and the replicas if there are any. */
function replicaSetOf(
  settings: Settings,
  servers: ServerList,
  pooling: Settings['DATABASE_POOLING'],
): ReplicaSet | undefined {
  const { replicaUrls } = settings;
  if (replicaUrls.length === 0 && servers.urls.length === 1) return undefined;
  const replicas = replicaUrls.map((url) => {
    const extra = poolExtra(settings, pooling);
    const config = { connectionString: url, application_name: 'commonplace', ...extra };
    const pool = new Pool({ ...config, max: settings.DATABASE_POOL });
    return new Replica(url, pool, extra.limits);
  });
  return new ReplicaSet(servers, replicas, settings.REPLICA_MAX_LAG_MS);
}

/**
 * The data source of a process. Every connection formats times in `TIME_ZONE` (D1) and has
 * statement and lock timeouts. Its pool rejects requests instead of an unlimited wait (D5).
 *
 * @param url may have several hosts, of which one is the primary; see {@link locatePrimary}
 * @param pooling `transaction` if each transaction has to apply the session settings
 */
export function makeDataSource(
  settings: Settings,
  url: string,
  entities: readonly EntityClass[],
  pooling: Settings['DATABASE_POOLING'] = 'session',
): DataSource {
  const servers = new ServerList(url, settings.dataDir);
  const replicas = replicaSetOf(settings, servers, pooling);
  return new DataSource({
    type: 'postgres',
    url: servers.current,
    entities: [...entities],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    applicationName: 'commonplace',
    poolSize: settings.DATABASE_POOL,
    driver: new PoolDriver(),
    extra: { ...poolExtra(settings, pooling, servers), replicas },
  });
}

const extraOf = ({ options }: DataSource): Partial<PoolExtra> =>
  (options as { extra?: Partial<PoolExtra> }).extra ?? {};

/** The replicas of a data source, or several servers that may be the primary. */
export const replicasOf = (source: DataSource): ReplicaSet | undefined => extraOf(source).replicas;

/** Closes the sockets of all connections of a data source, also of those in use. */
export function destroyConnections({ options }: DataSource): void {
  const { driver } = options as { driver?: unknown };
  if (driver instanceof PoolDriver) driver.destroy();
}

/** Milliseconds within which the server has to respond to a statement without work; 0: no limit. */
export const responseTimeoutOf = (source: DataSource): number =>
  extraOf(source).limits?.beginTimeoutMs ?? 0;

/** Address of the server that connections of a data source go to at present. */
export const currentUrl = (source: DataSource): string =>
  extraOf(source).servers?.current ?? (source.options as { url?: string }).url ?? '';

/** Address of a data source with all of its hosts. */
export const addressOf = (source: DataSource): string =>
  extraOf(source).servers?.address ?? (source.options as { url?: string }).url ?? '';

/**
 * Calls `follower` when connections of a data source go to another server.
 *
 * @returns a function that ends it
 */
export const onOtherPrimary = (source: DataSource, follower: () => void): (() => void) =>
  extraOf(source).servers?.onSelect(follower) ?? (() => undefined);

/** Milliseconds after which connections of a data source are replaced; 0 means never. */
export const lifetimeOf = (source: DataSource): number =>
  (extraOf(source).maxLifetimeSeconds ?? 0) * 1000;

const formerPrimaryError = ({ url, timeline }: Primary): Error =>
  new Error(
    `The server ${hostOf(url)} is a former primary server: its timeline is ${timeline}, and ` +
      'another server has a later one. The primary server does not respond.',
  );

/** Milliseconds between two looks for the primary. */
const LOCATE_MS = 200;

/**
 * Finds the primary among several hosts, before the data source is initialized. With one host it
 * does nothing. A server that does not respond may be the primary, so this waits for it.
 *
 * @param timeoutMs after which the best of the servers that responded is used, or else the first
 *   host
 * @throws Error when every server that accepts writes is a former primary
 */
export async function locatePrimary(source: DataSource, timeoutMs = 5000): Promise<void> {
  const { servers } = extraOf(source);
  if (!servers || servers.urls.length === 1) return;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const { primary, later, isCertain } = await findPrimary(
      servers.urls,
      servers.knownTimeline.system,
    );
    if (primary) servers.knownTimeline.remember(later ?? primary);
    const isFormer = primary && servers.knownTimeline.isFormer(primary);
    if (primary && !isFormer) servers.select(primary.url);
    if (isCertain && !isFormer) return;
    if (performance.now() >= deadline) {
      if (isFormer) throw formerPrimaryError(primary);
      return;
    }
    await pause(LOCATE_MS);
  }
}
