import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { Server as TlsServer, type TLSSocket } from 'node:tls';

/** Milliseconds in which a client that has connected, or begun a request, must have sent it. */
const ARRIVAL_MS = 1000;

/** An open connection. */
interface Connection {
  readonly openedAt: number;
  /** Responses that are not finished; several where requests are pipelined. */
  readonly responses: Set<ServerResponse>;
  /** Whether a request has arrived on it. */
  used: boolean;
  /** Bytes that had arrived when the newest response was finished. */
  bytesSeen: number;
}

/** Identifies an open connection by its two ends. */
const endsOf = ({ remoteAddress, remotePort, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`;

/** The open connections of servers, and the requests on each. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Connections whose TLS handshake is not complete, by their ends. */
  private readonly handshakes = new Map<string, Socket>();
  private closing = false;
  /** Connections that were ever accepted. */
  accepted = 0;

  /** Watches a server from before its first connection. */
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
    // The socket that requests come from is another object than the accepted one.
    server.on('secureConnection', (socket: TLSSocket) => {
      const ends = endsOf(socket);
      const accepted = this.handshakes.get(ends);
      if (accepted) this.open.delete(accepted);
      this.handshakes.delete(ends);
      this.add(socket);
    });
    // Before the handler, which may write the head of the response at once.
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

  /** How many connections are open. */
  get size(): number {
    return this.open.size;
  }

  /** From now on every response carries `Connection: close`, those under way included. */
  closeAfterResponses(): void {
    this.closing = true;
    for (const { responses } of this.open.values()) {
      for (const response of responses) response.shouldKeepAlive = false;
    }
  }

  /**
   * Closes connections without a request. Node's `closeIdleConnections` leaves those alone that
   * never had a request, and resets those whose request is just arriving: a client that has just
   * connected, or begun to send, gets a moment here.
   *
   * @param since when the service began to stop, as `performance.now()` told it
   */
  closeIdle(since: number): void {
    const now = performance.now();
    for (const [socket, { openedAt, responses, used, bytesSeen }] of this.open) {
      if (responses.size > 0) continue;
      const isNew = !used && now - openedAt < ARRIVAL_MS;
      const isArriving = socket.bytesRead > bytesSeen && now - since < ARRIVAL_MS;
      if (!isNew && !isArriving) socket.destroySoon();
    }
  }

  /** Cuts every connection off. */
  destroyAll(): void {
    for (const socket of this.open.keys()) socket.destroy();
  }
}
