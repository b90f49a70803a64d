import { SET_BULK } from './bulk-settings';
import { type Storing } from './storing';
import { type RecordHandler } from './record-handler';

/**
 * Records between two flushes: a part of the records imported so far, between limits. Searches scan
 * pending entries sequentially, in a few milliseconds for the maximum.
 *
 * A flush sorts the terms in memory and then writes the pages of the index that have them. Sorting
 * more terms than fit into the caches of the processor takes longer: an import of 300,000 books
 * needs up to 7 % more CPU time with the maximum. With a large index a flush writes many pages, so
 * that an import of a million books needs 10 % more with the minimum.
 */
const MIN_INTERVAL = 10_000;
const MAX_INTERVAL = 30_000;
/** An interval is a fifteenth of the records imported so far. */
const INTERVALS = 15;

/** Records that may be written during a flush, before the import waits for it. */
const MAX_BEHIND = 60_000;

/**
 * Flushes the pending entries of search indexes while an import writes. A flush takes seconds: in a
 * transaction of the import it would hold that transaction's rows, which others wait for.
 */
export class IndexFlusher {
  private readonly handlers = new Set<RecordHandler>();
  /** Records since the last flush. */
  private written = 0;
  /** Records since the start of the import. */
  private total = 0;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /**
   * @param options.beside whether a flush has a connection of its own; otherwise imports wait for
   *   it, instead of failing for lack of a connection
   */
  constructor(
    private readonly database: Pick<Storing, 'transaction'>,
    private readonly options: { readonly beside: boolean },
  ) {}

  /** Counts records that a handler has written. */
  add(handler: RecordHandler, records: number): void {
    if (!handler.flush) return;
    this.handlers.add(handler);
    this.written += records;
    this.total += records;
  }

  private get interval(): number {
    return Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, this.total / INTERVALS));
  }

  /** Starts a flush when one is due, and waits for one that is too slow. @throws its error */
  async keepUp(): Promise<void> {
    if (this.running && this.written >= MAX_BEHIND) await this.running;
    if (this.failure) throw this.failure.error;
    if (this.running || this.written < this.interval) return;
    this.written = 0;
    this.running = this.flush()
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.running = undefined;
      });
    if (!this.options.beside) await this.running;
  }

  /** Waits for a running flush, so that no work continues after the import. */
  async stop(): Promise<void> {
    await this.running;
  }

  /** Flushes everything that was written. */
  async flush(): Promise<void> {
    for (const handler of this.handlers) {
      await this.database.transaction(
        async (executor) => {
          await executor.query(SET_BULK);
          await handler.flush?.(executor);
        },
        { unlimited: true },
      );
    }
  }
}
