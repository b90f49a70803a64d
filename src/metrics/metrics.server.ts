import { createServer, type Server } from 'node:http';

/** Default path of Prometheus. */
const PATH = '/metrics';

/** Metrics in the text format of Prometheus. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Serves only the metrics. Its port must not be public. */
export function metricsServer(metrics: MetricsSource): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path !== PATH) {
      response.writeHead(404).end();
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    } else {
      metrics.text().then(
        (text) => {
          response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
        },
        () => {
          response.writeHead(500).end();
        },
      );
    }
  });
}
