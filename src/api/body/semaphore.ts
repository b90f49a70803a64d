interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** Bounds what runs at once: the others wait for their turn, first come, first served. */
export class Semaphore {
  private free: number;
  private waiting: Waiting[] = [];

  /** @param capacity what may run at once, in the unit of the weights */
  constructor(private readonly capacity: number) {
    this.free = capacity;
  }

  /**
   * Waits for a turn.
   *
   * @param weight how much of the capacity it takes; more than all of it counts as all of it
   * @param gone ends the waiting
   * @returns what ends the turn; calling it again does nothing
   * @throws the signal's reason, when it came before the turn
   */
  async acquire(weight = 1, gone?: AbortSignal): Promise<() => void> {
    gone?.throwIfAborted();
    const taken = Math.min(weight, this.capacity);
    if (this.waiting.length > 0 || taken > this.free) await this.wait(taken, gone);
    else this.free -= taken;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.free += taken;
      this.next();
    };
  }

  private wait(weight: number, gone: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting = this.waiting.filter((one) => one !== entry);
        reject(gone?.reason as Error);
        // It may have kept lighter ones behind it from starting.
        this.next();
      };
      const entry: Waiting = {
        weight,
        start: () => {
          gone?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.waiting.push(entry);
      gone?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Starts those at the front that there is room for; nobody overtakes, so nobody starves. */
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
