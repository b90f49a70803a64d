import { type ServerResponse } from 'node:http';
import { type Logger } from 'pino';
import { type FailureLogLimit } from './failure-log-limit';
import { type RequestContext } from './request-context';

/** From this status on, the log has an additional line with the cause. */
const OUR_FAULT = 500;

/**
 * Logs a finished request: id, route, status, milliseconds, application and user. It never logs the
 * query, headers or body, which may contain tokens and keys.
 */
export function logRequest(
  logger: Logger,
  context: RequestContext,
  response: ServerResponse,
  failures: FailureLogLimit,
): void {
  const { refusal, caller } = context;
  const status = response.statusCode;
  if (refusal?.cause !== undefined && status >= OUR_FAULT) {
    const failed = failures.countFailure(refusal.cause, status);
    if (failed > 0) {
      const repeated = failed > 1 ? { failed } : {};
      logger.error({ request: context.id, err: refusal.cause, ...repeated }, 'request failed');
    }
  }
  if (!logger.isLevelEnabled('info')) return;
  logger.info(
    {
      request: context.id,
      method: context.method,
      route: context.route?.path,
      status,
      code: refusal?.row.code,
      cut: response.writableFinished ? undefined : true,
      ms: Math.round((performance.now() - context.startedAt) * 10) / 10,
      application: caller.application?.clientId,
      user: caller.user?.id,
    },
    'request',
  );
}
