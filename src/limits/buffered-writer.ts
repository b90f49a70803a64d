import { setTimeout as pause } from 'node:timers/promises';
import { type OnModuleDestroy } from '@nestjs/common';
import { detached } from '../api/http/current-request';

/** Milliseconds that records are buffered before they are written. */
const GATHER_MS = 5000;
/** Milliseconds for the last write when the service stops. */
const LAST_MS = 2000;

/** Buffers records of requests in memory and writes them every few seconds, and at the stop. */
export abstract class BufferedWriter implements OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** Empties the buffer and writes it. It must handle its errors. */
  protected abstract write(): Promise<void>;

  /** Plans a write; call it when the buffer gets a record. */
  protected schedule(): void {
    // The write must not run on behalf of the request that starts the timer.
    this.timer ??= detached(() => setTimeout(() => void this.flush(), GATHER_MS)).unref();
  }

  /** Writes the buffer after the current write. It never fails. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.race([this.flush(), pause(LAST_MS, undefined, { ref: false })]);
    // The process ends, so there is no further attempt.
    clearTimeout(this.timer);
  }
}
