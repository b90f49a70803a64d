import { type Response } from 'express';
import { type Logger } from 'pino';
import { type Frame } from './frame';

/** Statuses whose cause, where there is one, is worth a line of its own. */
const OUR_FAULT = 500;

/**
 * Logs a finished request: id, route, status, milliseconds, application and user. Never the query,
 * a header or a body, where tokens and keys travel.
 */
export function logRequest(logger: Logger, frame: Frame, response: Response): void {
  const { refusal, caller } = frame;
  const status = response.statusCode;
  if (refusal?.cause !== undefined && status >= OUR_FAULT) {
    logger.error({ request: frame.id, err: refusal.cause }, 'request failed');
  }
  if (!logger.isLevelEnabled('info')) return;
  logger.info(
    {
      request: frame.id,
      method: frame.method,
      route: frame.route?.path,
      status,
      code: refusal?.row.code,
      cut: response.writableFinished ? undefined : true,
      ms: Math.round((performance.now() - frame.startedAt) * 10) / 10,
      application: caller.application?.clientId,
      user: caller.user?.id,
    },
    'request',
  );
}
