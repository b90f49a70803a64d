import { setTimeout as pause } from 'node:timers/promises';
import { type MetricsSource } from './metrics.server';

/** The pause after a collection, as a multiple of its duration. */
const PAUSE_FACTOR = 10;
/** Maximum pause in milliseconds: monitoring servers wait ten seconds. */
const MAX_PAUSE_MS = 5000;

/**
 * Collects metrics for all requests that wait, and pauses between collections, so that
 * collections take at most a tenth of the time, however many requests there are (a sixth if one takes
 * a second).
 */
export class MetricsCollections {
  private waiting: Promise<string> | undefined;
  /** Ends when the next collection may begin; never rejected. */
  private pauseEnd: Promise<unknown> = Promise.resolve();

  constructor(private readonly metrics: Pick<MetricsSource, 'text'>) {}

  /** The text of a collection that begins after this call. @throws errors of the source */
  next(): Promise<string> {
    this.waiting ??= this.pauseEnd.then(() => {
      this.waiting = undefined;
      return this.collect();
    });
    return this.waiting;
  }

  private collect(): Promise<string> {
    const began = performance.now();
    const text = this.metrics.text();
    const pauseAfter = (): Promise<void> => {
      const ms = Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (performance.now() - began));
      return pause(ms, undefined, { ref: false });
    };
    this.pauseEnd = text.then(pauseAfter, pauseAfter);
    return text;
  }
}
