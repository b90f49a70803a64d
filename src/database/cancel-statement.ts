import { connect } from 'node:net';
import { type PoolClient } from './pool-client';

/** Protocol code of a CancelRequest (PostgreSQL, section 54.7). */
const CANCEL_REQUEST = 80877102;
const BYTES = 16;

/** Milliseconds that the server may take to accept the request. */
const PATIENCE_MS = 1000;

/**
 * Cancels the statement of a session through a separate connection; the statement fails with 57014.
 * The promise is fulfilled when the server has forwarded the request, or cannot be reached. The
 * session must not get another statement before that.
 */
export function cancelStatement(client: PoolClient): Promise<void> {
  const { cancelKey, host, port } = client;
  if (!cancelKey) return Promise.resolve();
  const { processID, secretKey } = cancelKey;
  const packet = Buffer.alloc(BYTES);
  [BYTES, CANCEL_REQUEST, processID, secretKey].forEach((value, at) => {
    packet.writeInt32BE(value | 0, at * 4);
  });
  return new Promise((resolve) => {
    const socket = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port });
    const timer = setTimeout(() => {
      socket.destroy();
    }, PATIENCE_MS);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearTimeout(timer);
        resolve();
      })
      // Without it the end of the connection is never seen.
      .resume()
      .end(packet);
  });
}
