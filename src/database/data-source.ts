import { DataSource } from 'typeorm';
import { type Settings } from '../config/settings';
import { MIGRATIONS } from './migrations';

/** A TypeORM entity. Areas own theirs; whoever starts the process brings them together. */
export type EntityClass = new () => object;

/**
 * The data source of a process. Every connection writes times in `TIME_ZONE` (D1), gives up on
 * statements and locks in time, and its pool refuses rather than waits for ever (D5).
 */
export function makeDataSource(
  settings: Settings,
  url: string,
  entities: readonly EntityClass[],
): DataSource {
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
      connectionTimeoutMillis: settings.DATABASE_CONNECT_TIMEOUT_MS,
      statement_timeout: settings.DATABASE_STATEMENT_TIMEOUT_MS,
      lock_timeout: settings.DATABASE_LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 60_000,
      options: `-c TimeZone=${settings.TIME_ZONE}`,
    },
  });
}
