import { type INestApplication } from '@nestjs/common';
import { type CorsOptions } from 'cors';
import { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { type Logger } from 'pino';
import { frameOf, type FramedRequest } from './frame';
import { logRequest } from './request-log';

/** Response headers that scripts of other sites may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Error-Detail',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Limit2',
  'X-RateLimit-Remaining2',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
  'Deprecation',
  'Sunset',
  'Link',
];

const OPEN_CORS: CorsOptions = {
  origin: '*',
  credentials: false,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 86400,
};

/**
 * Pages are for people, not for other sites' scripts (RFC 9700, section 2.6); what applications
 * call themselves, they may call from a browser.
 */
const isPage = (path: string): boolean =>
  path.startsWith('/service/') && !/^\/service\/auth2\/(token|revoke|introspect)$/.test(path);

/**
 * What stands before every route: the frame, the request id, the log line, security headers and
 * CORS. Partners' pages use JSONP and pictures, so resources may be loaded from any origin;
 * credentials never go with them.
 */
export function setUpApi(app: INestApplication, logger: Logger): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    const frame = frameOf(request);
    (request as FramedRequest).frame = frame;
    response.setHeader('X-Request-Id', frame.id);
    // Also when the caller goes away before the answer is whole.
    response.on('close', () => {
      logRequest(logger, frame, response);
    });
    next();
  });
  app.use(
    helmet({
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'script-src': ["'self'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:'],
          'connect-src': ["'self'"],
          'frame-ancestors': ["'none'"],
          'base-uri': ["'none'"],
          'form-action': ["'self'"],
        },
      },
      // HSTS belongs to the server's HTTPS settings; over plain HTTP it is ignored.
      strictTransportSecurity: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      referrerPolicy: { policy: 'no-referrer' },
    }),
  );
  app.enableCors((request: Request, decide: (error: null, options: CorsOptions) => void) => {
    decide(null, isPage(request.path) ? { origin: false } : OPEN_CORS);
  });
}
