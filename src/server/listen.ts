import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * Connections that wait to be accepted; the kernel may have a lower limit. One beyond is tried again
 * by its client after a second, and after that less and less often.
 */
const BACKLOG = 4096;

/** A port that is free now: answers name themselves by it, so it must be known before they do. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Listens, and waits until it does.
 *
 * @param setting name of the setting that holds the port, for the message
 * @throws Error in one sentence when it cannot
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
