import { KEEP_ALIVE_MS } from './data-source';
import { PoolClient } from './pool-client';

/** Milliseconds that a connection may take; a server that starts waits for the first one. */
const CONNECT_MS = 5000;

/**
 * A connection beside the pool, not yet opened. Losing it does not end the process: the next
 * statement fails.
 *
 * @param name by which operators tell it from others
 */
export const makeOwnConnection = (url: string | undefined, name: string): PoolClient =>
  new PoolClient({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
