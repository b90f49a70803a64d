import pino, { type DestinationStream } from 'pino';

/** The stream writes when it has buffered this many bytes, or after this many milliseconds. */
const BATCH_BYTES = 8192;
const BATCH_MS = 250;
/** Bytes of lines that wait to be written; further lines are lost. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A write without progress for this time (ms) is blocked, for example by a pipe that nobody reads. */
const BLOCKED_MS = 1000;
/** Maximum time (ms) for writing before a synchronous flush returns. */
const SYNC_MS = 1000;

/** Batches with lines that are not passed on. */
const waiting = new Set<LineBatches>();

/** All streams of the process. */
const streams = new Set<LineBatches>();

/** Whether lines of this process wait for a reader, so that a thread may not return from its write. */
export const isLogBlocked = (): boolean => [...streams].some((stream) => stream.isBlocked);

const flushWaiting = (): void => {
  for (const batches of waiting) batches.flushSync();
};

/**
 * Joins lines before they reach the stream of `pino`, which measures all of its text again at each
 * line. While lines cannot be written, for example to a full disk, it keeps those that fit into 4 MB
 * and loses later ones.
 */
export class LineBatches implements DestinationStream {
  /** Called with the number of lost lines when lines can be written again. */
  onRecovered: (lines: number) => void = () => undefined;
  private lines: string[] = [];
  private length = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly stream: ReturnType<typeof pino.destination>;
  private readonly flushStream: () => void;
  /** When the running write began or made progress. */
  private writingSince: number | undefined;
  /** When a synchronous flush gives up. */
  private syncUntil: number | undefined;
  private isFailing = false;
  private lost = 0;

  /** @param fd a file descriptor that is open */
  constructor(fd: number) {
    this.stream = pino.destination({
      ...{ fd, sync: false, minLength: BATCH_BYTES, periodicFlush: BATCH_MS },
      maxLength: MAX_BYTES,
      // Without a limit, a synchronous flush to a full pipe would not end.
      retryEAGAIN: () => this.syncUntil === undefined || Date.now() < this.syncUntil,
    });
    const flush = this.stream.flushSync.bind(this.stream);
    this.flushStream = () => {
      this.flushWithin(flush);
    };
    // At the exit of the process, pino calls it.
    this.stream.flushSync = this.flushStream;
    // Without a listener, a full disk would end the process.
    this.stream.on('error', () => {
      this.isFailing = true;
      this.writingSince = undefined;
      // At the exit of the process, pino calls it, and it would repeat the write without end.
      this.stream.flushSync = () => undefined;
    });
    this.stream.on('drop', (text) => {
      this.lost += String(text).split('\n').length - 1;
    });
    this.stream.on('write', () => {
      this.writingSince = Date.now();
      this.recover();
    });
    this.stream.on('drain', () => {
      this.writingSince = undefined;
    });
    streams.add(this);
  }

  /** Whether the running write makes no progress. */
  get isBlocked(): boolean {
    return this.writingSince !== undefined && Date.now() - this.writingSince >= BLOCKED_MS;
  }

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

  /** Writes all lines before it returns, if it can: `pino` calls it after fatal errors. */
  flushSync(): void {
    this.pass();
    this.stream.flushSync();
  }

  /** Flushes, unless the last write is blocked: its thread would not return, and neither would this. */
  private flushWithin(flush: () => void): void {
    if (this.isBlocked) return;
    this.syncUntil = Date.now() + SYNC_MS;
    try {
      flush();
    } catch {
      // The remaining lines are lost, as on a full disk.
    } finally {
      this.syncUntil = undefined;
    }
  }

  private recover(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.stream.flushSync = this.flushStream;
    if (this.lost === 0) return;
    this.onRecovered(this.lost);
    this.lost = 0;
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
    this.writingSince ??= Date.now();
    this.stream.write(this.lines.join(''));
    this.lines = [];
    this.length = 0;
  }
}
