import { SET_BULK } from './bulk-settings';
import { type Storing } from './import.service';
import { type RecordHandler } from './record-handler';

/**
 * Records between two flushes. Searches scan the pending entries of these records sequentially, in
 * a few milliseconds. A flush sorts their terms in a tree in memory, which exceeds the caches of the
 * processor with more than {@link MIN_INTERVAL}: 7 % more CPU time for an import of 300,000 books. But it
 * also writes many pages of the index, so that flushes of a large import must be fewer.
 */
const MIN_INTERVAL = 10_000;
const MAX_INTERVAL = 30_000;
/** The part of the records of an import that an interval has between its limits. */
const INTERVAL_PART = 15;

/** Records that may be written during a flush, before the import waits for it. */
const MAX_BEHIND = 60_000;

/**
 * Flushes the pending entries of search indexes while an import writes. A flush takes seconds: in a
 * transaction of the import it would hold that transaction's rows, which others wait for.
 */
export class IndexFlusher {
  private readonly handlers = new Set<RecordHandler>();
  /** Records since the last flush, and all. */
  private written = 0;
  private total = 0;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /**
   * @param options.beside whether a flush has a connection of its own; otherwise imports wait for
   *   it, instead of failing for lack of a connection
   */
  constructor(
    private readonly database: Storing,
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
    return Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, this.total / INTERVAL_PART));
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
