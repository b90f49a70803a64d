import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Milliseconds between two pieces of what is sent slowly. */
const DRIP_MS = 250;

export interface OpenOptions {
  /** Whether to read responses. */
  readonly reads?: boolean;
  /** Address of the client: one of 127.0.0.0/8. */
  readonly from?: string;
}

/** Waits until the server has closed its side, with or without having read everything. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readableEnded || socket.closed) resolve();
    socket.once('end', resolve).once('close', resolve);
  });

/**
 * Connections of an attacker, who sends as little as possible and never closes them: also when the
 * server has closed its side, they stay half-open.
 */
export class Attacker {
  private readonly sockets: Socket[] = [];
  private readonly drips: NodeJS.Timeout[] = [];
  constructor(private readonly port: number) {}

  /** Opens a connection, and sends something. */
  async open(
    bytes: string | Buffer = '',
    { reads = true, from }: OpenOptions = {},
  ): Promise<Socket> {
    // Half-open: the end of the server is no reason to end ours.
    const socket = connect({
      host: '127.0.0.1',
      port: this.port,
      allowHalfOpen: true,
      localAddress: from,
    });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (reads) socket.resume();
    if (bytes.length > 0) socket.write(bytes);
    this.sockets.push(socket);
    return socket;
  }

  /** Opens `count` connections. */
  openMany(count: number, bytes: string | Buffer = '', how?: OpenOptions) {
    return Promise.all(Array.from({ length: count }, () => this.open(bytes, how)));
  }

  /** Sends a byte now and then over each of some connections, without end. */
  drip(sockets: readonly Socket[], byte = 'x'): void {
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(byte);
    }, DRIP_MS);
    this.drips.push(timer);
  }

  /** Goes away. */
  leave(): void {
    for (const timer of this.drips.splice(0)) clearInterval(timer);
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }
}
