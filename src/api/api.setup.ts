import { type NestExpressApplication } from '@nestjs/platform-express';
import { type CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { type Logger } from 'pino';
import { Settings } from '../config/settings';
import { isSecure, TRUSTED_PROXIES } from './http/client-address';
import { onBehalfOf } from './http/current-request';
import {
  createRequestContext,
  isAdminPath,
  isApiPath,
  isServicePath,
  type ApiRequest,
} from './http/request-context';
import { isAnonymous } from './http/https';
import { CallLimits } from './limits/limit.decision';
import { Observers } from './http/observer';
import { logRequest } from './http/request-log';

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
  'ETag',
];

const OPEN_CORS: CorsOptions = {
  origin: '*',
  credentials: false,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 86400,
};

/**
 * Pages send no CORS headers, because scripts of other sites must not read them (RFC 9700, section
 * 2.6). Applications may use the token endpoints from a browser.
 */
const isPage = (path: string): boolean =>
  isServicePath(path) && !/^\/service\/auth2\/(token|revoke|introspect)\/?$/i.test(path);

/** Clients that used HTTPS keep to it for a year (RFC 6797). Subdomains may lack HTTPS. */
const HSTS = 'max-age=31536000';

/**
 * Sets cache headers before any guard runs, so that early errors have them too (RFC 6749, section
 * 5.1). Handlers of files set their own.
 */
function setCacheHeaders(path: string, request: Request, response: Response): void {
  if (isServicePath(path)) {
    response.setHeader('Cache-Control', 'no-store');
    return;
  }
  if (!isApiPath(path) && !isAdminPath(path)) return;
  response.setHeader('Vary', 'Authorization');
  if (isAnonymous(request.headers.authorization)) return;
  response.setHeader('Cache-Control', 'private, no-store');
}

async function showLimits(
  limits: CallLimits,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  await limits.identify(request);
  await limits.decide(request, response);
}

/**
 * Installs the middleware of every route: context, request id, log line, security headers and CORS.
 * Pages of partners use JSONP and pictures, so any origin may load resources, without credentials.
 */
export function setUpApi(app: NestExpressApplication, logger: Logger): void {
  const settings = app.get(Settings, { strict: false });
  const { observer } = app.get(Observers, { strict: false });
  app.set(TRUSTED_PROXIES, settings.TRUSTED_PROXIES);
  app.use((request: Request, response: Response, next: NextFunction) => {
    const context = createRequestContext(request);
    (request as ApiRequest).context = context;
    response.setHeader('X-Request-Id', context.id);
    setCacheHeaders(context.path, request, response);
    // `close` is also emitted when the client disconnects before the response is complete.
    response.on('close', () => {
      if (!response.writableFinished) context.presence.leave();
      logRequest(logger, context, response);
      if (!observer) return;
      const seconds = (performance.now() - context.startedAt) / 1000;
      observer.finished(context, response.statusCode, seconds);
    });
    onBehalfOf(context, next);
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
      // Set below, only on responses over HTTPS.
      strictTransportSecurity: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      referrerPolicy: { policy: 'no-referrer' },
    }),
  );
  if (settings.requireHttps) {
    app.use((request: Request, response: Response, next: NextFunction) => {
      if (isSecure(request)) response.setHeader('Strict-Transport-Security', HSTS);
      next();
    });
  }
  const limits = app.get(CallLimits, { strict: false });
  app.use((request: Request, response: Response, next: NextFunction) => {
    // The CORS middleware responds to these; they reach no guard.
    if (request.method !== 'OPTIONS' || !isApiPath((request as ApiRequest).context.path)) next();
    else showLimits(limits, request as ApiRequest, response).then(() => next(), next);
  });
  app.enableCors((request: Request, decide: (error: null, options: CorsOptions) => void) => {
    decide(null, isPage((request as ApiRequest).context.path) ? { origin: false } : OPEN_CORS);
  });
}
