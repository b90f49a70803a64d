import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import { type Settings } from './settings';

/** Bytes that are gathered before a write, and milliseconds after which less is written too. */
const BATCH_BYTES = 4096;
const BATCH_MS = 250;

/**
 * The logger of a process: one JSON object a line, written in batches so that a request does not
 * wait for its log line.
 *
 * @param fd 1 for the server; the CLI keeps standard output for its results and passes 2
 */
export function makeLogger(settings: Settings, fd: 1 | 2 = 1): Logger {
  const stream = pino.destination({
    fd,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: BATCH_MS,
  });
  return pino(
    { level: settings.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    stream as unknown as DestinationStream,
  );
}

/** Writes out what a logger still holds. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    logger.flush(() => {
      resolve();
    });
  });
}

/** Nest's own messages, in the same log. What it says of every route at start is for debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...more: unknown[]): void {
    this.logger.error({ more }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}
