import { connect } from 'node:net';
import { type PoolClient } from './pool-client';

/** Protocol code of a CancelRequest (PostgreSQL, section 54.7). */
const CANCEL_REQUEST = 80877102;
const BYTES = 16;

/** Milliseconds until the caller stops waiting for the server. */
const PATIENCE_MS = 1000;
/**
 * Milliseconds until the connection is closed. PgBouncer keeps a request for its
 * `cancel_wait_timeout` (10 s), and versions before 1.20 end with a fatal error if a client that
 * waits for one disconnects.
 */
const MOST_MS = 15_000;
/**
 * Maximum number of these connections of this process. They count in PgBouncer's `max_client_conn`,
 * and take one of its connections to the server each.
 */
const MOST_AT_ONCE = 4;

let open = 0;

/**
 * Cancels the statement of a session through a separate connection; the statement fails with 57014.
 *
 * @returns undefined if too many cancellations are under way; else whether the server has forwarded
 *   the request. If not, it may still cancel a later statement of the session, which must not get
 *   one. The session must not get another statement before the promise is fulfilled.
 */
export function cancelStatement(client: PoolClient): Promise<boolean> | undefined {
  const { cancelKey, host, port } = client;
  if (!cancelKey) return Promise.resolve(true);
  if (open >= MOST_AT_ONCE) return undefined;
  const { processID, secretKey } = cancelKey;
  const packet = Buffer.alloc(BYTES);
  [BYTES, CANCEL_REQUEST, processID, secretKey].forEach((value, at) => {
    packet.writeInt32BE(value | 0, at * 4);
  });
  open += 1;
  return new Promise((resolve) => {
    const socket = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port });
    const patience = setTimeout(() => {
      resolve(false);
    }, PATIENCE_MS);
    const most = setTimeout(() => {
      socket.destroy();
    }, MOST_MS).unref();
    socket
      .unref()
      .on('error', () => undefined)
      .on('close', () => {
        open -= 1;
        clearTimeout(patience);
        clearTimeout(most);
        resolve(true);
      })
      // Without it the end of the connection is never seen. The server ends the connection, as
      // clients of the protocol expect it to.
      .resume()
      .write(packet);
  });
}
