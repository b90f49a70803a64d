import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Server as TlsServer, type TLSSocket } from 'node:tls';
import { mayHaveUnread } from '../api/http/read-connection';

/** Milliseconds that a client has to send its request after it connects or begins to send. */
const ARRIVAL_MS = 1000;

/** An open connection. */
interface Connection {
  readonly openedAt: number;
  /** Unfinished responses; several with pipelining. */
  readonly responses: Set<ServerResponse>;
  /** Whether it has received a request. */
  used: boolean;
  /** Bytes received when the newest response was finished. */
  bytesSeen: number;
}

/** Identifies an open connection by its two endpoints. */
const endsOf = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

/** Tracks the open connections of servers, and the requests on each. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Connections with an incomplete TLS handshake, by their endpoints. */
  private readonly handshakes = new Map<string, Socket>();
  private closing = false;
  /** Number of connections accepted so far. */
  accepted = 0;

  /** Tracks a server; call it before the server's first connection. */
  watch(server: Server): void {
    const encrypted = server instanceof TlsServer;
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.add(socket);
      if (!encrypted) return;
      const ends = endsOf(socket);
      this.handshakes.set(ends, socket);
      socket.on('close', () => {
        if (this.handshakes.get(ends) === socket) this.handshakes.delete(ends);
      });
    });
    // Requests come from another socket object than the accepted one.
    server.on('secureConnection', (socket: TLSSocket) => {
      const ends = endsOf(socket);
      const accepted = this.handshakes.get(ends);
      if (accepted) this.open.delete(accepted);
      this.handshakes.delete(ends);
      this.add(socket);
    });
    // Runs before the handler, which may write the response head at once.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.addResponse(socket, response);
    });
  }

  private add(socket: Socket): void {
    this.open.set(socket, {
      openedAt: performance.now(),
      responses: new Set(),
      used: false,
      bytesSeen: socket.bytesRead,
    });
    socket.on('close', () => this.open.delete(socket));
  }

  private addResponse(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    connection.used = true;
    connection.responses.add(response);
    if (this.closing) response.shouldKeepAlive = false;
    response.on('close', () => {
      connection.responses.delete(response);
      connection.bytesSeen = socket.bytesRead;
    });
  }

  /** Number of open connections. */
  get size(): number {
    return this.open.size;
  }

  /** Adds `Connection: close` to every response from now on, including unfinished ones. */
  closeAfterResponses(): void {
    this.closing = true;
    for (const { responses } of this.open.values()) {
      for (const response of responses) response.shouldKeepAlive = false;
    }
  }

  /**
   * Closes connections without a request. Node's `closeIdleConnections` keeps connections that
   * never had a request, and resets those with an arriving request. Here a client that has just
   * connected or begun to send gets {@link ARRIVAL_MS}, and one that waits for its turn stays open.
   *
   * @param since `performance.now()` when the service began to stop
   */
  closeIdle(since: number): void {
    const now = performance.now();
    for (const [socket, { openedAt, responses, used, bytesSeen }] of this.open) {
      if (responses.size > 0 || mayHaveUnread(socket)) continue;
      const isNew = !used && now - openedAt < ARRIVAL_MS;
      const isArriving = socket.bytesRead > bytesSeen && now - since < ARRIVAL_MS;
      if (!isNew && !isArriving) socket.destroySoon();
    }
  }

  /** Destroys every connection. */
  destroyAll(): void {
    for (const socket of this.open.keys()) socket.destroy();
  }
}
