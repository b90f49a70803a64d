import { Client, type ClientConfig } from 'pg';
import { type Asker } from './pool-queue';

/** Milliseconds that a connection gets to end in good order; one that has fallen silent never does. */
const END_MS = 1000;

/** What the types of the driver leave out. */
interface Internals {
  readonly connection: { readonly stream: { destroy(): void } };
}

/**
 * A connection of the pool. Losing it never ends the process, whoever holds it at the time: the
 * statement that is under way fails, or else the next one.
 */
export class PoolClient extends Client {
  /** When it was made, by `performance.now()`. */
  readonly createdAt = performance.now();
  /** Who uses it, while somebody does, and since when. */
  asker: Asker | undefined;
  usedSince = 0;

  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => {
      this.destroy();
    }, END_MS).unref();
    this.once('end', () => {
      clearTimeout(timer);
    });
    return callback ? super.end(callback) : super.end();
  }

  /** Ends it at once. */
  destroy(): void {
    (this as unknown as Internals).connection.stream.destroy();
  }
}
