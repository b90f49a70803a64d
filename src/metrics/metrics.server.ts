import { createServer, type Server } from 'node:http';
import { type Metrics } from './metrics';

/** Default path of Prometheus. */
const PATH = '/metrics';

/** Serves only the metrics. Its port must not be public. */
export function metricsServer(metrics: Metrics): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== PATH) {
      response.writeHead(404).end();
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    } else {
      metrics.registry.metrics().then(
        (text) => {
          response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text);
        },
        () => {
          response.writeHead(500).end();
        },
      );
    }
  });
}
