import { type NestExpressApplication } from '@nestjs/platform-express';
import { type CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { type Logger } from 'pino';
import { Settings } from '../config/settings';
import { isSecure, TRUSTED_PROXIES } from './client';
import { onBehalfOf } from './current-request';
import { frameOf, isAdminPath, isApiPath, isServicePath, type FramedRequest } from './frame';
import { isAnonymous } from './https';
import { CallLimits } from './limit.decision';
import { Observers } from './observer';
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
  isServicePath(path) && !/^\/service\/auth2\/(token|revoke|introspect)\/?$/i.test(path);

/** Clients that came over HTTPS do so for a year (RFC 6797); other hosts of the domain may not. */
const HSTS = 'max-age=31536000';

/**
 * Says what caches must know before anything is decided, so that refusals which no handler sees say
 * it too (RFC 6749, section 5.1). Handlers of files have headers of their own.
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
  request: FramedRequest,
  response: Response,
): Promise<void> {
  await limits.identify(request);
  await limits.decide(request, response);
}

/**
 * What stands before every route: the frame, the request id, the log line, security headers and
 * CORS. Partners' pages use JSONP and pictures, so resources may be loaded from any origin;
 * credentials never go with them.
 */
export function setUpApi(app: NestExpressApplication, logger: Logger): void {
  const settings = app.get(Settings, { strict: false });
  const { observer } = app.get(Observers, { strict: false });
  app.set(TRUSTED_PROXIES, settings.TRUSTED_PROXIES);
  app.use((request: Request, response: Response, next: NextFunction) => {
    const frame = frameOf(request);
    (request as FramedRequest).frame = frame;
    response.setHeader('X-Request-Id', frame.id);
    setCacheHeaders(frame.path, request, response);
    // Also when the caller goes away before the answer is whole.
    response.on('close', () => {
      if (!response.writableFinished) frame.presence.leave();
      logRequest(logger, frame, response);
      if (!observer) return;
      const seconds = (performance.now() - frame.startedAt) / 1000;
      observer.finished(frame, response.statusCode, seconds);
    });
    onBehalfOf(frame, next);
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
      // Set below, on answers over HTTPS alone.
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
    // CORS answers these itself: no guard will see them.
    if (request.method !== 'OPTIONS' || !isApiPath((request as FramedRequest).frame.path)) next();
    else showLimits(limits, request as FramedRequest, response).then(() => next(), next);
  });
  app.enableCors((request: Request, decide: (error: null, options: CorsOptions) => void) => {
    decide(null, isPage((request as FramedRequest).frame.path) ? { origin: false } : OPEN_CORS);
  });
}
