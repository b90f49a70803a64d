import { type LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import { workerNumber } from '../workers/worker';
import { type Settings } from './settings';

/** The logger writes when it has buffered this many bytes, or after this many milliseconds. */
const BATCH_BYTES = 8192;
const BATCH_MS = 250;

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

/** Batches with lines that are not passed on. */
const waiting = new Set<LineBatches>();

const flushWaiting = (): void => {
  for (const batches of waiting) batches.flushSync();
};

/**
 * Joins lines before they reach the stream of `pino`, which measures all of its text again at each
 * line.
 */
class LineBatches implements DestinationStream {
  private lines: string[] = [];
  private length = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly stream: ReturnType<typeof pino.destination>) {}

  write(line: string): void {
    this.lines.push(line);
    this.length += line.length;
    if (this.length >= BATCH_BYTES) this.pass();
    else if (!this.timer) this.wait();
  }

  /** Writes all lines. @param done is called when they are written, or with an error */
  flush(done?: (error?: Error) => void): void {
    this.pass();
    this.stream.flush(done);
  }

  /** Writes all lines before it returns: `pino` calls it after fatal errors. */
  flushSync(): void {
    this.pass();
    this.stream.flushSync();
  }

  private wait(): void {
    this.timer = setTimeout(() => {
      this.flush();
    }, BATCH_MS).unref();
    if (waiting.size === 0) process.once('exit', flushWaiting);
    waiting.add(this);
  }

  private pass(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (waiting.delete(this) && waiting.size === 0) process.off('exit', flushWaiting);
    if (this.length === 0) return;
    this.stream.write(this.lines.join(''));
    this.lines = [];
    this.length = 0;
  }
}

/**
 * The logger of a process: one JSON object per line, with the number of the worker if the process is
 * one. It writes in batches so that no request waits for its log line.
 *
 * @param fd 1 for the server; the CLI passes 2 because its results go to standard output
 */
export function makeLogger(settings: Settings, fd: 1 | 2 = 1): Logger {
  const stream = new LineBatches(
    pino.destination({ fd, sync: false, minLength: BATCH_BYTES, periodicFlush: BATCH_MS }),
  );
  const worker = workerNumber();
  const base = worker === undefined ? null : { worker };
  return pino({ level: settings.LOG_LEVEL, base, timestamp: isoTime }, stream);
}

/** Writes the buffered lines of a logger. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    logger.flush(() => {
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
