import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * Maximum number of connections that wait to be accepted; the kernel may have a lower limit. The
 * client of a further connection retries after a second, with growing intervals.
 */
const BACKLOG = 4096;

/** Finds a free port. Responses contain the port, so it must be known before the server starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts listening, and waits until the server listens.
 *
 * @param setting name of the setting with the port, for the message
 * @throws Error with a one-sentence message when it cannot listen
 */
export async function listen(
  server: Server,
  port: number,
  host: string,
  setting: string,
): Promise<void> {
  server.listen(host === '' ? { port, backlog: BACKLOG } : { port, host, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? `Port ${port} is in use: set ${setting} to another one.`
        : `Cannot listen on port ${port}: ${message}`;
    throw new Error(reason, { cause: error });
  }
}
