import { type NestExpressApplication } from '@nestjs/platform-express';
import { type CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import { type NextFunction, type Request, type Response } from 'express';
import { type Logger } from 'pino';
import { Settings } from '../config/settings';
import { TRUSTED_PROXIES } from './http/client-address';
import { onBehalfOf } from './http/current-request';
import { isApiPath, isConsolePath, isServicePath, type ApiRequest } from './http/request-context';
import { corsOptionsFor, setSecurityHeaders, setTransportSecurity } from './http/security-headers';
import { requestStarter } from './http/request-start';
import { RequestLimits } from './limits/limit.decision';
import { Observers } from './http/observer';
import { FastLane } from './fast-lane/fast-lane';

/**
 * Pages send no CORS headers, because scripts of other sites must not read them (RFC 9700, section
 * 2.6). Applications may use the token endpoints from a browser.
 */
const isPage = (path: string): boolean =>
  isConsolePath(path) ||
  (isServicePath(path) && !/^\/service\/auth2\/(token|revoke|introspect)\/?$/i.test(path));

/** Shows the limits of the address: browsers send preflights without tokens. */
async function showLimits(
  limits: RequestLimits,
  request: ApiRequest,
  response: Response,
): Promise<void> {
  await limits.decide(request, response);
}

/**
 * Installs the middleware of every route: context, request id, log line, security headers and CORS.
 * The fast lane, which serves most reads without Express, starts with the same steps.
 */
export function setUpApi(app: NestExpressApplication, logger: Logger): void {
  const settings = app.get(Settings, { strict: false });
  const observers = app.get(Observers, { strict: false });
  const start = requestStarter(logger, observers.all);
  app.set(TRUSTED_PROXIES, settings.TRUSTED_PROXIES);
  app.get(FastLane, { strict: false }).open(start, app.getHttpAdapter().getInstance());
  app.use((request: Request, response: Response, next: NextFunction) => {
    const context = start(request, response);
    setSecurityHeaders(response);
    setTransportSecurity(request, response, settings.requireHttps);
    onBehalfOf(context, next);
  });
  const limits = app.get(RequestLimits, { strict: false });
  app.use((request: Request, response: Response, next: NextFunction) => {
    // The CORS middleware responds to these; they reach no guard.
    if (request.method !== 'OPTIONS' || !isApiPath((request as ApiRequest).context.path)) next();
    else showLimits(limits, request as ApiRequest, response).then(() => next(), next);
  });
  app.enableCors((request: Request, decide: (error: null, options: CorsOptions) => void) => {
    decide(
      null,
      isPage((request as ApiRequest).context.path) ? { origin: false } : corsOptionsFor(request),
    );
  });
}
