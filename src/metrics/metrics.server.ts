import { createServer, type Server } from 'node:http';
import { type Metrics } from './metrics';

/** Path that Prometheus asks for when nobody tells it another. */
const PATH = '/metrics';

/** Serves the metrics and nothing else; to listen on a port that the public does not reach. */
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
