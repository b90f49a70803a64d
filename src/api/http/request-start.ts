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
  NO_QUERY,
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
 * Frees what a client has sent. The timer of the connection keeps the context of its last request
 * (`AsyncLocalStorage`) until the next request. An error keeps the values of the functions of its
 * stack.
 */
function forget(request: ApiRequest): void {
  const { context } = request;
  context.path = '';
  context.query = NO_QUERY;
  context.refusal = undefined;
  request.body = undefined;
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
      const isComplete = response.writableFinished;
      if (!isComplete) context.presence.leave();
      logRequest(logger, context, response, failures);
      const seconds = (performance.now() - context.startedAt) / 1000;
      for (const observer of observers) observer.finished(context, response.statusCode, seconds);
      if (isComplete) forget(request);
    });
    return context;
  };
}
