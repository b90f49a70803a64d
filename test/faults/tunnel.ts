import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A tunnel to a server, such as PostgreSQL or Redis, that can fall silent, as behind a firewall that
 * has lost its state: connections stay open, and sent bytes never arrive. It can also send the
 * service bytes of its own.
 */
export class Tunnel {
  private readonly pairs = new Set<readonly [near: Socket, far: Socket]>();
  /** Whether new connections are silent from the beginning. */
  private closed = false;
  /** Bytes that new connections get, before they are ended. */
  private otherServerBytes: Buffer | undefined;
  /** Text after which the server is lost. */
  private lostAt: string | undefined;
  /** Number of further connections that are ended at once. */
  refused = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (near: Socket) => {
      this.open(near);
    });
  }

  static async before(url: string): Promise<Tunnel> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Tunnel(server, new URL(url));
  }

  /** The address of the database by this way. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  private open(near: Socket): void {
    if (this.refused > 0) {
      this.refused -= 1;
      near.end().resume();
      return;
    }
    if (this.otherServerBytes) {
      near.on('error', () => undefined).end(this.otherServerBytes);
      near.resume();
      return;
    }
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    const pair = [near, far] as const;
    this.pairs.add(pair);
    near.on('data', (chunk: Buffer) => {
      if (this.lostAt !== undefined && chunk.includes(this.lostAt)) this.lose();
    });
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        this.pairs.delete(pair);
        other.destroy();
      });
      one.pipe(other);
    }
    if (this.closed) this.muffle(pair);
  }

  private muffle(pair: readonly [Socket, Socket]): void {
    for (const one of pair) one.unpipe().removeAllListeners('close').resume();
  }

  /**
   * Lets the connections that are open fall silent; new connections work.
   * @param ports only those with these ports, as PostgreSQL sees them
   */
  silence(ports?: readonly number[]): void {
    for (const pair of this.pairs)
      if (ports?.includes(Number(pair[1].localPort)) ?? true) this.muffle(pair);
  }

  /** Ends all connections, also new ones, as soon as the service sends this text. */
  loseServerAt(text: string): void {
    this.lostAt = text;
  }

  /** Ends all connections, and refuses new ones. */
  lose(): void {
    this.refused = Infinity;
    this.endAll();
  }

  private endAll(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  /** Sends bytes to the service as if they came from the server, on each open connection. */
  inject(bytes: Buffer): void {
    for (const [near] of this.pairs) near.write(bytes);
  }

  /** Ends all connections. New ones get these bytes and are ended. */
  replaceServer(bytes: Buffer): void {
    this.otherServerBytes = bytes;
    this.endAll();
  }

  /** Lets all connections fall silent, those that come too. */
  close(): void {
    this.closed = true;
    this.silence();
  }

  /** Ends the next connection, and discards what it sends. */
  refuseNext(): void {
    this.refused += 1;
  }

  /** New connections are as they should be again. */
  mend(): void {
    this.closed = false;
    this.otherServerBytes = undefined;
    this.lostAt = undefined;
    this.refused = 0;
  }

  async end(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.endAll();
    await closed;
  }
}
