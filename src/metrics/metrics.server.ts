import { createServer, type Server } from 'node:http';
import { type Socket } from 'node:net';
import { MetricsCollections } from './metrics-collections';

/** Default path of Prometheus. */
const PATH = '/metrics';

/** Open connections; more are closed. A monitoring server uses one at a time. */
const MAX_CONNECTIONS = 20;

/** Milliseconds without traffic after which a connection is closed, also while it waits for metrics. */
const IDLE_MS = 10_000;

/** Metrics in the text format of Prometheus. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Serves only the metrics. Its port must not be public. Clients cannot occupy the process that serves
 * the API: connections are few and serve one request each, and there are pauses between collections.
 */
export function metricsServer(metrics: MetricsSource): Server {
  const collections = new MetricsCollections(metrics);
  const served = new WeakSet<Socket>();
  const server = createServer(
    { headersTimeout: IDLE_MS, requestTimeout: IDLE_MS, connectionsCheckingInterval: 1000 },
    (request, response) => {
      const { socket } = request;
      // No monitoring server sends more before it has the response.
      if (served.has(socket)) {
        socket.destroy();
        return;
      }
      served.add(socket);
      response.setHeader('Connection', 'close');
      const path = request.url?.split('?', 1)[0];
      if (path !== PATH) {
        response.writeHead(404).end();
      } else if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      } else {
        collections.next().then(
          (text) => {
            response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
          },
          () => {
            response.writeHead(500).end();
          },
        );
      }
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  return server;
}
