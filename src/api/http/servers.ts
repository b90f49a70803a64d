import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type Socket } from 'node:net';
import { type Logger } from 'pino';
import { type Settings } from '../../config/settings';
import { originForm } from './request-context';
import { UnreadResponses } from './unread-responses';
import { refuseUnreadable } from './unreadable';

/** Bytes of request line and headers together: a query may hold 5,000 Chinese characters. */
const MAX_HEADER_BYTES = 65_536;

/** Milliseconds between looks for connections whose requests take too long to arrive. */
const CHECK_MS = 1000;

/** Milliseconds that a client may take to read anything of a response that waits for it. */
const READ_MS = 30_000;

/** Milliseconds that the rest of a body may take to arrive once its request has been answered. */
const REST_MS = 5000;

/** Descriptors that are no connections of clients: of the database, of files, of logs. */
const OTHER_DESCRIPTORS = 200;

/** Settings of servers. */
export type ServerSettings = Pick<
  Settings,
  'HEADER_SECONDS' | 'HTTP_PORT' | 'MAX_CONNECTIONS' | 'REQUEST_SECONDS'
>;

/** How many files and sockets this process may have open; undefined where that is not told. */
function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/**
 * Connections that one port may have open: `MAX_CONNECTIONS`, or fewer, so that descriptors remain
 * for everything else.
 *
 * @param descriptors that the process may have; undefined when that is not known
 */
export function maxConnections(
  { MAX_CONNECTIONS, HTTP_PORT }: ServerSettings,
  descriptors = descriptorLimit(),
): number {
  if (descriptors === undefined) return MAX_CONNECTIONS;
  const ports = HTTP_PORT === undefined ? 1 : 2;
  const others = Math.min(OTHER_DESCRIPTORS, Math.floor(descriptors / 2));
  return Math.min(MAX_CONNECTIONS, Math.floor((descriptors - others) / ports));
}

/**
 * Requests of one connection that wait for their responses at most. Clients may send several at once
 * (RFC 9112, section 9.3.2); few do.
 */
const MAX_PIPELINED = 100;

/**
 * Closes connections with more requests than {@link MAX_PIPELINED}. Node reads on while no response
 * has been written: each request takes some 7 KB for 40 bytes.
 */
class Pipelines {
  private readonly lengths = new WeakMap<Socket, number>();

  /** @returns whether the request is to be handled */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // What was read together with the requests before is parsed to its end.
    if (socket.destroyed) return false;
    const length = this.lengthOf(socket) + 1;
    if (length > MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    this.lengths.set(socket, length);
    response.on('close', () => this.lengths.set(socket, this.lengthOf(socket) - 1));
    return true;
  }

  private lengthOf(socket: Socket): number {
    return this.lengths.get(socket) ?? 0;
  }
}

/** Bounds how long a connection is held by a client that does not read, or does not stop sending. */
function boundResponse(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // The time-out counts as long as not a byte is taken; Node sets its own for the next request.
  response.on('prefinish', () => socket.setTimeout(READ_MS));
  response.on('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => socket.destroy(), REST_MS).unref();
    request.once('end', () => {
      clearTimeout(timer);
    });
  });
}

/** A server's options and handlers that do not depend on what it serves. */
export function makeServer(
  listener: RequestListener,
  settings: ServerSettings,
  tls?: Pick<ServerOptions, 'cert' | 'key'>,
): Server {
  const headersTimeout = settings.HEADER_SECONDS * 1000;
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    requestTimeout: Math.max(settings.REQUEST_SECONDS * 1000, headersTimeout),
    connectionsCheckingInterval: CHECK_MS,
  };
  const server = tls
    ? createHttpsServer({ ...options, ...tls, handshakeTimeout: headersTimeout })
    : createHttpServer(options);
  server.maxConnections = maxConnections(settings);
  server.on('clientError', refuseUnreadable);
  const pipelines = new Pipelines();
  const unread = new UnreadResponses();
  unread.watch(server);
  server.on('request', (request, response) => {
    if (!pipelines.admit(request, response)) return;
    unread.add(response);
    boundResponse(request, response);
    request.url = originForm(request.url ?? '');
    listener(request, response);
  });
  return server;
}

/** Milliseconds between two lines about connections that were refused. */
const LOG_MS = 60_000;

/** Logs, once a minute at most, that a server has closed connections beyond its maximum. */
export function logRefusedConnections(server: Server, logger: Logger): void {
  let refused = 0;
  let loggedAt = -Infinity;
  server.on('drop', () => {
    refused += 1;
    if (performance.now() - loggedAt < LOG_MS) return;
    const { maxConnections: limit } = server;
    logger.warn({ refused, limit }, 'connections are refused: MAX_CONNECTIONS are open');
    loggedAt = performance.now();
    refused = 0;
  });
}
