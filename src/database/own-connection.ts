import { type DataSource } from 'typeorm';
import { currentUrl, KEEP_ALIVE_MS } from './data-source';
import { PoolClient } from './pool-client';

/** Milliseconds for opening a connection; the start of the server waits for the first one. */
const CONNECT_MS = 5000;

/**
 * Creates a connection outside the pool, without opening it. Its loss does not end the process: the
 * next statement fails.
 *
 * @param name application name, for operators
 */
export const makeOwnConnection = (source: DataSource, name: string): PoolClient =>
  new PoolClient({
    connectionString: currentUrl(source),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
