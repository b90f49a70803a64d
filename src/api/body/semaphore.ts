interface Waiting {
  readonly weight: number;
  readonly rank: number;
  readonly start: () => void;
}

/** Limits what runs at once. The others wait in the order of their ranks, then of their arrival. */
export class Semaphore {
  private free: number;
  private waiting: Waiting[] = [];

  /** @param capacity total weight that may run at once */
  constructor(private readonly capacity: number) {
    this.free = capacity;
  }

  /**
   * Waits for a turn.
   *
   * @param weight part of the capacity that it takes; at most the full capacity
   * @param gone ends the wait
   * @param rank those with the lowest one come first
   * @returns a function that ends the turn, and is idempotent
   * @throws the signal's reason if it is aborted before the turn
   */
  async acquire(weight = 1, gone?: AbortSignal, rank = 0): Promise<() => void> {
    gone?.throwIfAborted();
    const end = this.tryAcquire(weight);
    if (end) return end;
    const granted = Math.min(weight, this.capacity);
    await this.wait(granted, rank, gone);
    return this.releaseOnce(granted);
  }

  /** Takes a turn if nobody waits and it is free. @returns like `acquire`, or undefined */
  tryAcquire(weight = 1): (() => void) | undefined {
    const granted = Math.min(weight, this.capacity);
    if (this.waiting.length > 0 || granted > this.free) return undefined;
    this.free -= granted;
    return this.releaseOnce(granted);
  }

  /** Whether anything waits for a turn. */
  get hasWaiters(): boolean {
    return this.waiting.length > 0;
  }

  private releaseOnce(granted: number): () => void {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.free += granted;
      this.next();
    };
  }

  private wait(weight: number, rank: number, gone: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        reject(gone?.reason as Error);
        // Lighter entries may have waited behind it.
        this.next();
      };
      const entry: Waiting = {
        weight,
        rank,
        start: () => {
          gone?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const after = this.waiting.findLastIndex((other) => other.rank <= rank);
      this.waiting.splice(after + 1, 0, entry);
      gone?.addEventListener('abort', leave, { once: true });
      // It may be lighter than those that it comes before.
      this.next();
    });
  }

  /** Starts the first entries that fit. Strict order prevents starvation of heavy entries. */
  private next(): void {
    for (;;) {
      const [first] = this.waiting;
      if (first === undefined || first.weight > this.free) return;
      this.waiting.shift();
      this.free -= first.weight;
      first.start();
    }
  }
}
