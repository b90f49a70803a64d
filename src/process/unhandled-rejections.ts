import { type Logger } from 'pino';

/**
 * Logs rejections of promises that nothing handles, instead of ending the process: they are defects
 * in the work for one request, and must not end the requests of all others.
 */
export function logUnhandledRejections(logger: Logger): void {
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'unhandled rejection');
  });
}
