import { connect } from 'node:net';
import { type Client } from 'pg';

/** Protocol code of a CancelRequest (PostgreSQL, section 54.7). */
const CANCEL_REQUEST = 80877102;
const BYTES = 16;

/** Milliseconds that the server may take to accept the request. */
const PATIENCE_MS = 1000;

/** Members that the types of the driver lack. */
interface Session {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * Cancels the statement of a session through a separate connection; the statement fails with 57014.
 * The promise is fulfilled when the server has forwarded the request, or cannot be reached. The
 * session must not get another statement before that.
 */
export function cancelStatement(client: Client): Promise<void> {
  const { processID, secretKey } = client as unknown as Session;
  const { host, port } = client;
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return Promise.resolve();
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
