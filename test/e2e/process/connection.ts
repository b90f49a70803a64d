import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One connection to a server, by hand: it shows when it is closed, and keeps requests apart. */
export class Connection {
  private text = '';
  readonly closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
    });
    // Being cut off shows as closed.
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Whether new connections are refused. */
  static async refused(port: number): Promise<boolean> {
    try {
      (await Connection.open(port)).socket.destroy();
      return false;
    } catch (error) {
      // One that was waiting to be taken when the server stopped listening is reset instead.
      return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    }
  }

  /** Sends a request; the connection is to be kept. */
  ask(path: string): void {
    // A server that has closed the connection has refused.
    if (!this.socket.writable || this.socket.readableEnded) return;
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: keep-alive\r\n\r\n`);
  }

  /** Sends a POST with a text of a given size in bytes. */
  post(path: string, bytes: number): void {
    this.socket.write(
      `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${bytes}\r\n\r\n${'1'.repeat(bytes)}`,
    );
  }

  /** The statuses of the responses so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Everything that has arrived. */
  get received(): string {
    return this.text;
  }

  /** Waits until a number of responses have started. */
  async resolved(count: number): Promise<void> {
    while (this.statuses.length < count) await once(this.socket, 'data');
  }

  destroy(): void {
    this.socket.destroy();
  }
}
