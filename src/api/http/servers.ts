import cluster from 'node:cluster';
import { constants } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type Socket } from 'node:net';
import { type Logger } from 'pino';
import { descriptorLimit } from '../../process/descriptor-limit';
import { type Settings } from '../../config/settings';
import { prioritizeAccepting } from './connection-backlog';
import { ECDH_CURVES } from './client-hello';
import { closeUnknown, ConnectionShares } from './connection-shares';
import { closeAfterEarlyResponse } from './early-responses';
import { acceptFairly } from './fair-accepting';
import { MAX_HEAD_BYTES, RequestMemory } from './request-memory';
import { Pipelines } from './pipelines';
import { readRawTarget } from './raw-targets';
import { crowdedConnectionLog, RefusalLog } from './refusal-log';
import { originForm } from './request-context';
import { coalesceChunks, hasBodyHeaders } from './small-chunks';
import { ADMISSION_OPTIONS, TlsAdmission } from './tls-admission';
import { TlsHandshakes } from './tls-handshakes';
import { TlsKeyUpdates } from './tls-key-updates';
import { writeTlsInPieces } from './tls-pieces';
import { MAX_HEADERS, refuseInvalidHead, refuseUnreadable } from './unparsable-requests';
import { disableUpgrades } from './upgrades';
import { UnreadResponses } from './unread-responses';

/** Milliseconds between checks for requests that take too long to arrive. */
const CHECK_MS = 1000;

/** Methods whose bodies have no meaning (RFC 9110, 9.3.1 and 9.3.2). */
const METHODS_WITHOUT_BODY: readonly unknown[] = ['GET', 'HEAD'];

/** Descriptors reserved for other purposes than client connections: database, files, logs. */
const OTHER_DESCRIPTORS = 200;

/**
 * Options of each TLS context. A renegotiation of TLS 1.2 would be a handshake that
 * {@link TlsHandshakes} does not count.
 */
export const TLS_OPTIONS = {
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ecdhCurve: ECDH_CURVES,
};

/** Settings of servers. */
export type ServerSettings = Pick<
  Settings,
  'HEADER_SECONDS' | 'HTTP_PORT' | 'KEEP_ALIVE_SECONDS' | 'MAX_CONNECTIONS' | 'REQUEST_SECONDS'
> &
  Partial<Pick<Settings, 'TLS_HANDSHAKES_PER_SECOND' | 'TRUSTED_PROXIES'>>;

/** Maximum number of connections of a port, if no setting says otherwise. */
const DEFAULT_CONNECTIONS = 5000;

/** The same with TLS. Such a connection takes 40 KB while idle, and up to 120 KB with requests. */
const DEFAULT_TLS_CONNECTIONS = 2000;

/**
 * Maximum number of connections of one port: `MAX_CONNECTIONS`, or fewer to reserve descriptors for
 * other purposes. A connection that downloads a picture uses a second one for the file, or for the
 * connection to the bucket.
 *
 * @param isTls whether the port uses TLS
 * @param descriptors limit of the process; undefined means no known limit
 */
export function maxConnections(
  { MAX_CONNECTIONS, HTTP_PORT }: ServerSettings,
  isTls: boolean,
  descriptors = descriptorLimit(),
): number {
  const most = MAX_CONNECTIONS ?? (isTls ? DEFAULT_TLS_CONNECTIONS : DEFAULT_CONNECTIONS);
  if (descriptors === undefined) return most;
  const ports = HTTP_PORT === undefined ? 1 : 2;
  const others = Math.min(OTHER_DESCRIPTORS, Math.floor(descriptors / 2));
  return Math.min(most, Math.floor((descriptors - others) / 2 / ports));
}

/** Bounds of memory that all ports of a process share. */
export class ServerMemory {
  readonly unread: UnreadResponses;
  readonly requests: RequestMemory;

  constructor({ TRUSTED_PROXIES: trustedProxies = 0 }: ServerSettings) {
    this.unread = new UnreadResponses({ trustedProxies });
    this.requests = new RequestMemory(trustedProxies);
  }
}

/** Creates a server with the options and handlers that all ports have. */
export function makeServer(
  listener: RequestListener,
  settings: ServerSettings,
  tls?: Pick<ServerOptions, 'cert' | 'key'>,
  { unread, requests }: ServerMemory = new ServerMemory(settings),
): Server {
  const headersTimeout = settings.HEADER_SECONDS * 1000;
  const options = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout,
    requestTimeout: Math.max(settings.REQUEST_SECONDS * 1000, headersTimeout),
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: settings.KEEP_ALIVE_SECONDS * 1000,
    requireHostHeader: false,
  };
  const { TRUSTED_PROXIES, TLS_HANDSHAKES_PER_SECOND: handshakes } = settings;
  // Behind proxies, all connections come from a few addresses, and each may belong to any client.
  const limiter = tls && handshakes && !TRUSTED_PROXIES ? new TlsHandshakes(handshakes) : undefined;
  const server = tls
    ? createHttpsServer({
        ...{ ...options, ...TLS_OPTIONS, ...tls, handshakeTimeout: headersTimeout },
        ...ADMISSION_OPTIONS,
      })
    : createHttpServer(options);
  server.maxConnections = maxConnections(settings, tls !== undefined);
  // Node ignores more headers, so that a request with one more can be rejected.
  server.maxHeadersCount = MAX_HEADERS + 1;
  if (tls?.key) limiter?.adjustToKey(tls.key as string | Buffer);
  limiter?.register(server);
  if (tls) new TlsAdmission({ timeoutMs: headersTimeout, limiter }).watch(server);
  // The parent process of workers accepts their connections.
  if (!TRUSTED_PROXIES && !cluster.isWorker) acceptFairly(server);
  closeUnknown(server);
  // A worker that refuses connections by `maxConnections` returns them to its parent, which offers
  // them to the next worker without end. With one connection less, this never happens.
  const keyOf = TRUSTED_PROXIES ? () => 'proxies' : undefined;
  const shares = new ConnectionShares(Math.max(1, server.maxConnections - 1), keyOf);
  shares.watch(server);
  if (tls) {
    writeTlsInPieces(server);
    new TlsKeyUpdates((socket) => {
      limiter?.suspend(socket);
      if (TRUSTED_PROXIES) socket.destroy();
      else shares.closeAll(socket);
    }).watch(server);
  }
  server.on('clientError', (error, socket) => {
    if (!readRawTarget(server, error, socket as Socket)) refuseUnreadable(error, socket);
  });
  disableUpgrades(server, tls !== undefined);
  prioritizeAccepting(server);
  const pipelines = new Pipelines();
  unread.watch(server);
  requests.watch(server, tls !== undefined);
  server.on('request', (request, response) => {
    // Bodies arrive before their requests are handled.
    const withBody = hasBodyHeaders(request);
    if (withBody) {
      coalesceChunks(request, response);
      closeAfterEarlyResponse(request, response);
    }
    // After `coalesceChunks`, so that chunks count as they arrive.
    requests.add(request, response, withBody);
    const handle = (): void => {
      if (request.socket.destroyed) return;
      unread.add(response);
      // Nothing reads these bodies, which would stay in memory until the response is complete.
      if (withBody && METHODS_WITHOUT_BODY.includes(request.method)) request.resume();
      if (refuseInvalidHead(request, response)) return;
      request.url = originForm(request.url ?? '');
      listener(request, response);
    };
    // A turn later, a body that arrives with its head is complete, and the connection stays open.
    pipelines.enter(request, response, withBody ? () => void setImmediate(handle) : handle);
  });
  // Unknown expectations are ignored (RFC 9110, 10.1.1). Node would respond 417 without limit.
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
  return server;
}

/** Logs, at most once a minute, that a server has closed connections beyond its maximum. */
export function logRefusedConnections(server: Server, logger: Logger): void {
  const log = new RefusalLog((refused) => {
    const { maxConnections: limit } = server;
    logger.warn({ refused, limit }, 'connections are rejected: MAX_CONNECTIONS are open');
  });
  server.on('drop', () => {
    log.count();
  });
  const crowded = crowdedConnectionLog(logger);
  server.on('crowded', () => {
    crowded.count();
  });
}
