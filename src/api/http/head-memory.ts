import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { addressOf, limitKeyOf } from './client-address';
import { currentResponse } from './pipelines';

/** Bytes that all heads of requests may have together. In memory they take about twice as much. */
const MAX_HEADS = 48_000_000;

/** Bytes of a head that counts. Smaller ones of all connections fit into memory. */
const MIN_HEAD = 8192;

/** Maximum bytes of a head: Node rejects more. */
const MAX_HEAD = 65_536;

/** Milliseconds between two looks. A client on the same network sends a head in less. */
const LOOK_MS = 250;

/** A connection with what its requests hold. */
interface Connection {
  /** Bytes that the client had sent when the next head began. */
  start: number;
  /** Bytes of the heads of requests whose responses are not complete. */
  underWay: number;
  /** The key of the client in limits. */
  key: string;
}

/** Bytes of a head on the connection, if the client sends no additional spaces. */
function bytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let bytes = method.length + url.length + 14;
  // Each name or value is followed by two bytes.
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}

/** Bytes of the body that the head announces; undefined if only its end tells. */
function bodyBytesOf({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Bounds the memory of request lines and headers. A client that sends them slowly, or the body after
 * them, keeps them in memory for a minute, and may do that on thousands of connections. Beyond the
 * bound, connections of the client with the most bytes are closed, the oldest first.
 */
export class HeadMemory {
  /** In the order in which they were opened. */
  private readonly connections = new Map<Socket, Connection>();

  /**
   * @param trustedProxies `TRUSTED_PROXIES`, which determines the addresses of clients
   * @param limit maximum bytes of all heads
   */
  constructor(
    private readonly trustedProxies = 0,
    private readonly limit = MAX_HEADS,
  ) {}

  /** Looks at the connections of a server while it listens. @param isTls whether it uses TLS */
  watch(server: Server, isTls: boolean): void {
    let clock: NodeJS.Timeout | undefined;
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.open(socket);
    });
    server.on('listening', () => {
      clock = setInterval(() => {
        this.closeLargest();
      }, LOOK_MS).unref();
    });
    server.on('close', () => {
      clearInterval(clock);
    });
  }

  /** Call it for each request, before it is handled. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.connections.get(socket);
    if (!connection) return;
    const arrived = socket.bytesRead - connection.start;
    connection.start = socket.bytesRead;
    const body = bodyBytesOf(request);
    if (arrived >= MIN_HEAD) {
      const bytes = bytesOf(request);
      connection.key = limitKeyOf(addressOf(request, this.trustedProxies));
      connection.underWay += bytes;
      response.once('close', () => {
        connection.underWay -= bytes;
      });
      // The same data may have the begin of the next head.
      const rest = arrived - bytes - (body ?? Infinity);
      if (rest >= 0) {
        connection.start -= rest;
        return;
      }
    }
    if (body === 0) return;
    request.once('end', () => {
      connection.start = socket.bytesRead;
    });
  }

  /** Closes connections until the heads of the others are within the limit. */
  closeLargest(): void {
    const bytesOfKeys = new Map<string, number>();
    const large: { socket: Socket; key: string; bytes: number }[] = [];
    let total = 0;
    for (const [socket, connection] of this.connections) {
      const bytes = this.bytesIn(socket, connection);
      if (bytes < MIN_HEAD) continue;
      const { key } = connection;
      total += bytes;
      bytesOfKeys.set(key, (bytesOfKeys.get(key) ?? 0) + bytes);
      large.push({ socket, key, bytes });
    }
    if (total <= this.limit) return;
    const inOrder = large
      .map(({ socket, key, bytes }) => {
        // Bytes of the client when its connections that come before are closed.
        const ofKey = bytesOfKeys.get(key) ?? 0;
        bytesOfKeys.set(key, ofKey - bytes);
        return { socket, bytes, ofKey };
      })
      .sort((one, other) => other.ofKey - one.ofKey);
    for (const { socket, bytes } of inOrder) {
      if (total <= this.limit) return;
      total -= bytes;
      socket.destroy();
    }
  }

  private bytesIn(socket: Socket, { start, underWay }: Connection): number {
    // While a request is under way, its body arrives.
    if (currentResponse(socket)) return underWay;
    return Math.min(socket.bytesRead - start, MAX_HEAD);
  }

  private open(socket: Socket): void {
    // A connection is announced again when another parser reads it (D43).
    if (this.connections.has(socket)) return;
    const key = limitKeyOf(socket.remoteAddress ?? '');
    this.connections.set(socket, { start: socket.bytesRead, underWay: 0, key });
    socket.once('close', () => this.connections.delete(socket));
  }
}
