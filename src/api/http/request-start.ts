import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Logger } from 'pino';
import { isAnonymous } from './https';
import { type HeaderFields } from './header-fields';
import { type RequestObserver } from './observer';
import {
  createRequestContext,
  isAdminPath,
  isApiPath,
  isConsolePath,
  isServicePath,
  type ApiRequest,
  type RequestContext,
} from './request-context';
import { FailureLogLimit } from './failure-log-limit';
import { logRequest } from './request-log';

/**
 * Sets cache headers before any guard runs, so that early errors have them too (RFC 6749, section
 * 5.1). Handlers of files set their own.
 */
function setCacheHeaders(path: string, request: IncomingMessage, fields: HeaderFields): void {
  if (!isApiPath(path) && !isAdminPath(path)) {
    if (isServicePath(path) || isConsolePath(path)) fields.setHeader('Cache-Control', 'no-store');
    return;
  }
  fields.setHeader('Vary', 'Authorization');
  if (isAnonymous(request.headers.authorization)) return;
  fields.setHeader('Cache-Control', 'private, no-store');
}

/**
 * Creates the context of a request on first use, sets its first headers and logs its end.
 *
 * @param fields where to set the headers, if not on the response
 */
export type StartRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  fields?: HeaderFields,
) => RequestContext;

/** @param observers receive every finished request */
export function requestStarter(
  logger: Logger,
  observers: readonly RequestObserver[],
): StartRequest {
  const failures = new FailureLogLimit();
  return (message, response, fields = response) => {
    const request = message as ApiRequest;
    // The fast lane has created it for a request that it passed on.
    const existing = request.context as RequestContext | undefined;
    if (existing) return existing;
    const context = createRequestContext(request);
    request.context = context;
    fields.setHeader('X-Request-Id', context.id);
    setCacheHeaders(context.path, request, fields);
    // `close` is also emitted when the client disconnects before the response is complete.
    response.on('close', () => {
      if (!response.writableFinished) context.presence.leave();
      logRequest(logger, context, response, failures);
      const seconds = (performance.now() - context.startedAt) / 1000;
      for (const observer of observers) observer.finished(context, response.statusCode, seconds);
    });
    return context;
  };
}
