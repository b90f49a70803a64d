import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { addressOf, limitKeyOf } from './client-address';
import { currentResponse } from './pipelines';
import { repeatWhileListening } from './repeat-while-listening';

/** Maximum bytes of request line and headers: a query may have 5,000 Chinese characters. */
export const MAX_HEAD_BYTES = 65_536;

/** Bytes that all large heads may have together. In memory they take about twice as much. */
const MAX_TOTAL_BYTES = 48_000_000;

/** Bytes of the heads of a connection that count. Smaller ones of all connections fit into memory. */
const MIN_COUNTED_BYTES = 8192;

/** Milliseconds between two checks. */
const CHECK_MS = 250;

/** Memory of the heads of a connection. */
interface Connection {
  /**
   * Number of bytes that the client sends before its next head, from the first byte of the
   * connection. It can be more than have arrived, while a body arrives.
   */
  nextHead: number;
  /** Bytes of the heads of requests whose responses are not complete. */
  pendingBytes: number;
  /** The key of the client in limits. */
  clientKey: string;
  /** That of the address of the connection, which may be a proxy. */
  readonly ownKey: string;
}

/** Bytes of a head on the connection, if the client sends no additional spaces. */
function headBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  // The version, the separators of the request line, and the empty line.
  let bytes = method.length + url.length + 14;
  // Each name or value is followed by two bytes.
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}

/** Whether a request has a method without a body. The body of another one may be empty. */
const hasNoBody = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Bytes of the body; undefined for a chunked one. */
function bodyBytesOf({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Bounds the memory of large request heads: request lines and headers. A client that sends them
 * slowly, or the body after them, keeps them in memory for a minute, and may do that on thousands of
 * connections. Beyond the bound, connections of the client with the most bytes are closed, the oldest
 * first.
 */
export class HeadMemory {
  /** In the order in which they were opened. */
  private readonly connections = new Map<Socket, Connection>();

  /**
   * @param trustedProxies `TRUSTED_PROXIES`, which determines the addresses of clients
   * @param limit maximum bytes of all large heads
   */
  constructor(
    private readonly trustedProxies = 0,
    private readonly limit = MAX_TOTAL_BYTES,
  ) {}

  /** Checks the connections of a server while it listens. @param isTls whether it uses TLS */
  watch(server: Server, isTls: boolean): void {
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.open(socket);
    });
    repeatWhileListening(server, CHECK_MS, () => {
      this.closeLargest();
    });
  }

  /** Call it for each request, before it is handled. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.connections.get(socket);
    if (!connection) return;
    const { bytesRead } = socket;
    connection.clientKey = connection.ownKey;
    // Most requests. What follows in the same data is too small to count.
    if (
      bytesRead - connection.nextHead < MIN_COUNTED_BYTES &&
      hasNoBody(request) &&
      !currentResponse(socket)
    ) {
      connection.nextHead = bytesRead;
      return;
    }
    const body = bodyBytesOf(request);
    const bytes = headBytesOf(request);
    connection.clientKey = limitKeyOf(addressOf(request, this.trustedProxies));
    connection.pendingBytes += bytes;
    response.once('close', () => {
      connection.pendingBytes -= bytes;
    });
    if (body !== undefined) {
      connection.nextHead += bytes + body;
      return;
    }
    connection.nextHead = Infinity;
    request.once('end', () => {
      connection.nextHead = socket.bytesRead;
    });
  }

  /** Closes connections until the large heads of the others are within the limit. */
  closeLargest(): void {
    const bytesOfClients = new Map<string, number>();
    const large: { socket: Socket; clientKey: string; bytes: number }[] = [];
    let total = 0;
    for (const [socket, { nextHead, pendingBytes, clientKey }] of this.connections) {
      const incomplete = Math.max(0, Math.min(socket.bytesRead - nextHead, MAX_HEAD_BYTES));
      const bytes = pendingBytes + incomplete;
      if (bytes < MIN_COUNTED_BYTES) continue;
      total += bytes;
      bytesOfClients.set(clientKey, (bytesOfClients.get(clientKey) ?? 0) + bytes);
      large.push({ socket, clientKey, bytes });
    }
    if (total <= this.limit) return;
    const inOrder = large
      .map(({ socket, clientKey, bytes }) => {
        // Bytes of the client when its connections that come before are closed.
        const bytesOfClient = bytesOfClients.get(clientKey) ?? 0;
        bytesOfClients.set(clientKey, bytesOfClient - bytes);
        return { socket, bytes, bytesOfClient };
      })
      .sort((one, other) => other.bytesOfClient - one.bytesOfClient);
    for (const { socket, bytes } of inOrder) {
      if (total <= this.limit) return;
      total -= bytes;
      socket.destroy();
    }
  }

  private open(socket: Socket): void {
    // A connection is announced again when another parser reads it (D43).
    if (this.connections.has(socket)) return;
    const ownKey = limitKeyOf(socket.remoteAddress ?? '');
    const nextHead = socket.bytesRead;
    this.connections.set(socket, { nextHead, pendingBytes: 0, clientKey: ownKey, ownKey });
    socket.once('close', () => this.connections.delete(socket));
  }
}
