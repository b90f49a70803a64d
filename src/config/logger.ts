import { type LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import { workerNumber } from '../workers/worker';
import { LineBatches } from './line-batches';
import { type Settings } from './settings';

let millisecond = 0;
let timeMember = '';

/** The time of a log line in ISO 8601. Lines of the same millisecond share the text. */
function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    timeMember = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeMember;
}

/**
 * The logger of a process: one JSON object per line, with the number of the worker if the process is
 * one. It writes in batches so that no request waits for its log line, and loses lines rather than
 * ending the process when they cannot be written.
 *
 * @param fd 1 for the server; the CLI passes 2 because its results go to standard output
 */
export function makeLogger(settings: Settings, fd: 1 | 2 = 1): Logger {
  const stream = new LineBatches(fd);
  const worker = workerNumber();
  const base = worker === undefined ? null : { worker };
  const logger = pino({ level: settings.LOG_LEVEL, base, timestamp: isoTime }, stream);
  stream.onRecovered = (lines) => {
    logger.warn({ lines }, 'log lines are missing here: they could not be written');
  };
  return logger;
}

/** Maximum time (ms) for writing the last lines; longer than a write may last that is not blocked. */
const FLUSH_MS = 2000;

/** Writes the buffered lines of a logger. After 2 seconds, for example at a full pipe, they are lost. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, FLUSH_MS);
    logger.flush(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** Writes Nest's messages to the same log. Its line for each route at start has level debug. */
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
