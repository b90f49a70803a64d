import { type Client } from 'pg';
import { PoolClient } from '../database/pool-client';

/** Milliseconds for opening the connection. */
const CONNECT_MS = 10_000;

/**
 * Works on a connection of its own to the server that is backed up.
 * @param url of the server's database
 * @param signal closes the connection when aborted, also when the server does not respond
 * @param timeoutMs milliseconds of each statement; no limit when absent
 * @throws Error when the connection is lost
 */
export async function withConnection<T>(
  url: string,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const client = new PoolClient({
    connectionString: url,
    application_name: 'commonplace-backup',
    connectionTimeoutMillis: CONNECT_MS,
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  });
  const disconnect = (): void => {
    client.destroy();
  };
  signal.addEventListener('abort', disconnect);
  await client.connect();
  try {
    return await work(client);
  } finally {
    signal.removeEventListener('abort', disconnect);
    await client.end().catch(() => undefined);
  }
}
