import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of PostgreSQL. When it is shut, PostgreSQL cannot be reached. */
export class DatabaseGate {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Starts a proxy in front of the database at `url`. */
  static async before(url: string): Promise<DatabaseGate> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = new URL(url);
    own.hostname = '127.0.0.1';
    own.port = String((server.address() as AddressInfo).port);
    const gate = new DatabaseGate(server, own.toString());
    server.on('connection', (inside) => {
      const outside = connect(Number(target.port || 5432), target.hostname);
      for (const [socket, other] of [
        [inside, outside],
        [outside, inside],
      ] as const) {
        gate.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy());
        socket.pipe(other);
      }
    });
    return gate;
  }

  /** Cuts every connection and takes no more. */
  async shut(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.sockets.forEach((socket) => socket.destroy());
    await closed;
  }

  /** Takes connections again, at the same address. */
  async open(): Promise<void> {
    const { port } = new URL(this.url);
    await new Promise<void>((resolve) => this.server.listen(Number(port), '127.0.0.1', resolve));
  }
}
