import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** A counter, and how much it may hold. */
export interface Counted {
  /** Names the counter among all. */
  readonly key: string;
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
}

/** How a counter stands. */
export interface Count {
  readonly used: number;
  /** Milliseconds until its window ends; undefined when none has begun. */
  readonly reset: number | undefined;
}

export interface Taken {
  /** Whether the call is within all its limits; only then was it counted. */
  readonly granted: boolean;
  readonly counts: readonly Count[];
}

/** Where calls are counted. A counter's window begins with its first call. */
export interface Counters {
  /** Counts a call in every counter, or in none when one of them is full. */
  take(counters: readonly Counted[]): Promise<Taken>;
  /** How counters stand. */
  look(counters: readonly Counted[]): Promise<Count[]>;
  /** Takes back what was counted once, in counters whose window has not ended. */
  giveBack(counters: readonly Counted[]): Promise<void>;
  /** Forgets what was counted. */
  clear(counters: readonly Counted[]): Promise<void>;
}

/** Counts in the memory of this process. */
export class MemoryCounters implements Counters {
  private readonly limiters = new Map<number, RateLimiterMemory>();
  /** The call that is being counted: the next one waits for it, which takes no time: nothing here
   * waits for anything outside. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * One for each length of window. It only counts: a limit belongs to the counter, and may be
   * another one at the next call.
   */
  private of({ window }: Counted): RateLimiterMemory {
    let limiter = this.limiters.get(window);
    if (!limiter) {
      limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: window });
      this.limiters.set(window, limiter);
    }
    return limiter;
  }

  take(counters: readonly Counted[]): Promise<Taken> {
    // One after the other: what is going to be given back must not stand in anybody's way.
    const taken = this.last.then(() => this.count(counters));
    this.last = taken;
    return taken;
  }

  private async count(counters: readonly Counted[]): Promise<Taken> {
    const at = Date.now();
    const results = await Promise.all(
      counters.map((counter) => this.of(counter).penalty(counter.key)),
    );
    const granted = counters.every(
      ({ limit }, index) => (results[index]?.consumedPoints ?? 0) <= limit,
    );
    if (!granted) {
      await Promise.all(
        counters.map((counter, index) => this.returnOne(counter, at, results[index])),
      );
    }
    const counts = results.map(({ consumedPoints, msBeforeNext }) => ({
      used: granted ? consumedPoints : consumedPoints - 1,
      reset: msBeforeNext,
    }));
    return { granted, counts };
  }

  /** Unless the window has ended meanwhile: what is given back must not be a gift to the next. */
  private async returnOne(counter: Counted, at: number, result: RateLimiterRes | undefined) {
    const ends = at + (result?.msBeforeNext ?? 0);
    if (Date.now() < ends) await this.of(counter).reward(counter.key);
  }

  giveBack(counters: readonly Counted[]): Promise<void> {
    const given = this.last.then(async () => {
      const counts = await this.look(counters);
      const open = counters.filter((_, index) => (counts[index]?.used ?? 0) > 0);
      await Promise.all(open.map((counter) => this.of(counter).reward(counter.key)));
    });
    this.last = given;
    return given;
  }

  clear(counters: readonly Counted[]): Promise<void> {
    const cleared = this.last.then(async () => {
      await Promise.all(counters.map((counter) => this.of(counter).delete(counter.key)));
    });
    this.last = cleared;
    return cleared;
  }

  async look(counters: readonly Counted[]): Promise<Count[]> {
    const results = await Promise.all(counters.map((counter) => this.of(counter).get(counter.key)));
    return results.map((result) =>
      result && result.msBeforeNext > 0
        ? { used: result.consumedPoints, reset: result.msBeforeNext }
        : { used: 0, reset: undefined },
    );
  }
}
