import { type DataSource } from 'typeorm';
import { currentUrl, KEEP_ALIVE_MS, onOtherPrimary } from './data-source';
import { PoolClient, type LimitedQuery } from './pool-client';

/** Milliseconds for opening a connection; the start of the server waits for the first one. */
const CONNECT_MS = 5000;

/**
 * Creates a connection outside the pool, without opening it. Its loss does not end the process: the
 * next statement fails. It is closed when another server becomes the primary.
 *
 * @param name application name, for operators
 */
export function makeOwnConnection(source: DataSource, name: string): PoolClient {
  const client = new PoolClient({
    connectionString: currentUrl(source),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const unfollow = onOtherPrimary(source, () => {
    client.destroy();
  });
  client.once('end', unfollow);
  return client;
}

/**
 * Opens such a connection, and runs its first statement.
 * @throws Error of either; the connection is closed then, because it would keep the process of a
 *   command
 */
export async function openOwnConnection(
  source: DataSource,
  name: string,
  first: LimitedQuery,
): Promise<PoolClient> {
  const client = makeOwnConnection(source, name);
  try {
    await client.connect();
    await client.query(first);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
