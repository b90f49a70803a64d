import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type ReadConnection } from './read-connection';
import { ReadTurns } from './read-turns';
import { addressOf, limitKeyOf } from './client-address';
import { siteOf } from './client-networks';
import { sortForClosing, type LargeConnection } from './closing-order';
import {
  followBody,
  headBytesOf,
  type HeadPosition,
  isSmallHead,
  MIN_COUNTED_BYTES,
  passHead,
} from './head-position';
import { discardParser, MAX_COPIED_BYTES, MIN_COPIED_BYTES, ParserCopies } from './parser-copies';
import { currentResponse } from './pipelines';
import { repeatWhileListening } from './repeat-while-listening';
import { coalescedBytesOf } from './small-chunks';
import { closeForMemory, countSeparators, MAX_HEADERS } from './unparsable-requests';

/** Maximum bytes of request line and headers: a query may have 5,000 Chinese characters. */
export const MAX_HEAD_BYTES = 65_536;

/**
 * Bytes that all large heads and waiting bodies may have together. In memory, heads take about twice
 * as much.
 */
const MAX_TOTAL_BYTES = 48_000_000;

/** Bytes of memory of a parameter of a query, in addition to its text. */
const PARAMETER_BYTES = 60;

/** Bytes of each body that its reader always keeps in memory. The budgets of bodies exclude them. */
export const SMALL_BODY_BYTES = 16_384;

/**
 * Bytes that each request with an incomplete body counts: its handling takes 40 KB of the heap until
 * the body is complete.
 */
const HANDLING_BYTES = 10_000;

/** Bytes that an incomplete request over TLS counts in addition, for an incomplete record. */
const TLS_RECORD_BYTES = 16_384;

/** Minimum bytes that count as the start of a request, because positions are not exact. */
const INCOMPLETE_BYTES = 1024;

/**
 * Bytes that each connection over TLS counts. It takes 40 KB: less is left for the requests of others
 * while thousands of connections are open.
 */
const TLS_CONNECTION_BYTES = 5000;

/** Maximum share of the limit that open TLS connections count. */
const MAX_IDLE_SHARE = 1 / 2;

/** Maximum number of connections closed in one turn of the event loop. Each takes up to 0.3 ms. */
const CLOSED_AT_ONCE = 100;

/** Maximum length of a request target whose parameters do not count. */
const MAX_SMALL_TARGET = 200;

/** Milliseconds between two checks. */
const CHECK_MS = 250;

/** Memory of the requests of a connection. */
interface Connection extends HeadPosition {
  readonly reading: ReadConnection;
  /** Bytes of the heads, parameters and trailers of requests whose responses are not complete. */
  pendingBytes: number;
  /** Copies of heads in Node's parser; undefined until the first head that counts. */
  copies: ParserCopies | undefined;
  /**
   * Requests whose bodies may be in memory, with the bytes that have arrived; undefined until the
   * first one with a body.
   */
  bodies: Map<IncomingMessage, number> | undefined;
  /** Whether it is closed as soon as its last response is sent. */
  isClosing: boolean;
  /** The key of the client in limits. */
  clientKey: string;
  /** That of the address of the connection, which may be a proxy. */
  readonly ownKey: string;
}

/** Bytes of bodies by their requests. */
type Bodies = ReadonlyMap<IncomingMessage, number>;

/**
 * Bytes of bodies that nobody reads yet, because their requests wait for an earlier response, or for
 * something before their handlers read them; and of what incomplete bodies take that no other bound
 * includes.
 */
function bodyBytesOf(bodies: Bodies): number {
  let bytes = 0;
  for (const [request, arrived] of bodies) {
    const { complete, readableFlowing } = request;
    if (!complete) bytes += HANDLING_BYTES;
    if (readableFlowing === null) bytes += request.readableLength + coalescedBytesOf(request);
    else if (!complete) bytes += Math.min(arrived, SMALL_BODY_BYTES);
  }
  return bytes;
}

/** Whether a body is not complete. */
function someIsIncomplete(bodies: Bodies): boolean {
  for (const { complete } of bodies.keys()) if (!complete) return true;
  return false;
}

/**
 * Bounds the memory of large request heads (request lines and headers), of trailers and of waiting
 * bodies. A client that sends heads slowly, or the body after them, keeps them in memory for a
 * minute, and may do that on thousands of connections. Node also buffers bodies that nobody reads.
 * Beyond the bound, connections of the address or IPv6 network with the most bytes are closed, the
 * oldest first ({@link closeForMemory}). {@link ParserCopies} count while a connection is open. All
 * ports of a process share one instance.
 */
export class RequestMemory {
  /** In the order in which they were opened. */
  private readonly connections = new Map<Socket, Connection>();
  private readonly turns = new ReadTurns();
  private opened = 0;

  /**
   * @param trustedProxies `TRUSTED_PROXIES`, which determines the addresses of clients
   * @param limit maximum bytes of all large heads and waiting bodies
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

  /**
   * Call it for each request, before it is handled and after {@link coalesceChunks}.
   *
   * @param hasBody whether the request has a body, which may be empty
   */
  add(request: IncomingMessage, response: ServerResponse, hasBody: boolean): void {
    const { socket, url = '' } = request;
    const connection = this.connections.get(socket);
    if (!connection) return;
    this.turns.addRequest(connection.reading);
    const { bytesRead } = socket;
    connection.clientKey = connection.ownKey;
    const copies = this.copiesOf(connection, request);
    if (copies && copies.bytes > MAX_COPIED_BYTES) response.shouldKeepAlive = false;
    const isSmall = url.length <= MAX_SMALL_TARGET && isSmallHead(connection, bytesRead);
    // Most requests. What follows in the same data is too small to count.
    if (!hasBody && isSmall && !currentResponse(socket)) {
      connection.nextHead = bytesRead;
      return;
    }
    const headBytes = headBytesOf(request);
    let bytes = headBytes + PARAMETER_BYTES * countSeparators(url);
    connection.clientKey = limitKeyOf(addressOf(request, this.trustedProxies));
    connection.pendingBytes += bytes;
    let isReleased = false;
    const release = (): void => {
      isReleased = true;
      connection.pendingBytes -= bytes;
    };
    response.once('close', () => {
      this.turns.endRequest(connection.reading);
      // Nobody keeps the rest of its body.
      connection.bodies?.delete(request);
      // Node's parser keeps a request until its body is complete.
      if (request.complete) release();
      else request.once('end', release);
    });
    passHead(connection, bytesRead, headBytes);
    if (!hasBody) return;
    const network = siteOf(connection.clientKey);
    const bodies = (connection.bodies ??= new Map<IncomingMessage, number>());
    bodies.set(request, 0);
    followBody(connection, request, {
      onData: (dataBytes) => {
        this.turns.addChunk(connection.reading, network, dataBytes);
        const arrived = bodies.get(request);
        if (arrived !== undefined) bodies.set(request, arrived + dataBytes);
      },
      onTrailers: (trailerBytes) => {
        // Node passes on no more of them, and its parser keeps the last ones.
        if (request.rawTrailers.length > 2 * MAX_HEADERS) socket.destroy();
        (connection.copies ??= new ParserCopies()).addFields(request.rawTrailers);
        if (isReleased) return;
        bytes += trailerBytes;
        connection.pendingBytes += trailerBytes;
      },
    });
  }

  /** Closes connections until the large heads and waiting bodies of the others are within the limit. */
  closeLargest(): void {
    const large: (LargeConnection & { socket: Socket; connection: Connection })[] = [];
    let total = 0;
    let idle = 0;
    for (const [socket, connection] of this.connections) {
      const { nextHead, pendingBytes, bodies, copies, clientKey, isClosing } = connection;
      if (isClosing) continue;
      const isTls = 'encrypted' in socket;
      if (isTls) idle += TLS_CONNECTION_BYTES;
      const incomplete = Math.max(0, Math.min(socket.bytesRead - nextHead, MAX_HEAD_BYTES));
      const ofBodies = bodies ? bodyBytesOf(bodies) : 0;
      const isIncomplete =
        incomplete >= INCOMPLETE_BYTES || (bodies !== undefined && someIsIncomplete(bodies));
      // Copies alone take half of the memory of a head.
      const heads = pendingBytes + (copies?.bytes ?? 0) / 2;
      const record = isIncomplete && isTls ? TLS_RECORD_BYTES : 0;
      const bytes = heads + incomplete + record + ofBodies;
      if (bytes < MIN_COUNTED_BYTES) continue;
      total += bytes;
      large.push({ socket, connection, bytes, clientKey });
    }
    // Otherwise many idle connections, which are not closed, would leave nothing for requests.
    total += Math.min(idle, this.limit * MAX_IDLE_SHARE);
    if (total <= this.limit) return;
    const inOrder = sortForClosing(large);
    for (const { socket, connection, bytes } of inOrder.slice(0, CLOSED_AT_ONCE)) {
      if (total <= this.limit) return;
      total -= bytes;
      connection.isClosing = true;
      closeForMemory(socket);
    }
    if (total > this.limit && inOrder.length > CLOSED_AT_ONCE) {
      setImmediate(() => {
        this.closeLargest();
      });
    }
  }

  /** Counts the copies of a head in Node's parser. @returns those of the connection, if there are any */
  private copiesOf(connection: Connection, request: IncomingMessage): ParserCopies | undefined {
    const { socket } = request;
    if (!connection.copies && socket.bytesRead - connection.nextHead < MIN_COPIED_BYTES) {
      return undefined;
    }
    connection.copies ??= new ParserCopies();
    connection.copies.addHead(request);
    return connection.copies;
  }

  private open(socket: Socket): void {
    // A connection is announced again when another parser reads it (D43).
    if (this.connections.has(socket)) return;
    const ownKey = limitKeyOf(socket.remoteAddress ?? '');
    const { bytesRead } = socket;
    this.opened += 1;
    // Each request of a proxy's connection can be of another client.
    const network = this.trustedProxies > 0 ? `connection ${this.opened}` : siteOf(ownKey);
    const reading = this.turns.open(socket, network);
    this.connections.set(socket, {
      reading,
      nextHead: bytesRead,
      arrived: bytesRead,
      pendingBytes: 0,
      copies: undefined,
      bodies: undefined,
      isClosing: false,
      clientKey: ownKey,
      ownKey,
    });
    // Before Node's own listener.
    socket.prependListener('close', () => {
      this.connections.delete(socket);
      this.turns.close(reading);
      discardParser(socket);
    });
  }
}
