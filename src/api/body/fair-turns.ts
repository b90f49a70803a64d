import { type WaitingTime } from './turn';
import { VirtualTime, type VirtualWork } from './virtual-time';

/** Work that a client wants to do in parts, such as the pictures of a request. */
export interface FairWork {
  /** Limit key of the client's address. */
  readonly address: string;
  /** What all parts cost together, in any unit. */
  readonly cost: number;
  /** Whether it must not run beside other large work. */
  readonly isLarge?: boolean;
}

/** The turn of some work. */
export interface FairTurn {
  /**
   * Call it before each part. Waiting work that is to be served first gets the turn, and this work
   * waits again.
   *
   * @param cost of the part
   * @throws ApiError 999 with 503 when the client leaves, or the waiting time is over
   */
  next(cost: number): Promise<void>;
  /** Ends the turn. */
  end(): void;
}

/** Work with its place in the queue. */
interface Entry {
  readonly work: FairWork;
  readonly virtual: VirtualWork;
  /** Cost of the parts that have not begun. */
  left: number;
}

interface Waiting {
  readonly entry: Entry;
  readonly start: () => void;
}

/**
 * Limits the work that is done at once. Work is served in the order in which it would end if the
 * addresses shared the capacity equally (weighted fair queuing). Little work therefore waits for few
 * parts of others, regardless of the number of their requests and addresses. Between two parts, work
 * gives its turn to waiting work that would end earlier, but not to work with the same end: otherwise
 * all would end at about the same time.
 */
export class FairTurns {
  private readonly running = new Set<Entry>();
  private waiting: Waiting[] = [];
  private readonly time = new VirtualTime();

  /**
   * @param capacity work of all addresses at once
   * @param maxPerAddress work of one address at once
   */
  constructor(
    private readonly capacity: number,
    private readonly maxPerAddress: number,
  ) {}

  /** Waits for a turn. @throws ApiError 999 with 503 when the client leaves, or the time is over */
  async acquire(work: FairWork, waiting: WaitingTime): Promise<FairTurn> {
    const { address, cost: left } = work;
    const entry = { work, virtual: this.time.add(address, left, this.waiting.length > 0), left };
    try {
      await waiting.wait((gone) => this.enter(entry, gone));
    } catch (error) {
      this.giveBack(entry);
      throw error;
    }
    return {
      next: async (cost) => {
        if (this.findSuccessor(entry)) {
          this.leave(entry);
          await waiting.wait((gone) => this.enter(entry, gone, true));
        }
        const addresses = new Set(this.active().map((one) => one.work.address));
        this.time.startPart(entry.virtual, cost, entry.left, addresses.size);
        entry.left -= cost;
      },
      end: () => {
        this.leave(entry);
        this.giveBack(entry);
      },
    };
  }

  /** Gives back the cost of the parts of ended work that have not begun. */
  private giveBack(entry: Entry): void {
    this.time.giveBack(entry.virtual, entry.left);
    entry.left = 0;
  }

  /** Running and waiting work. */
  private active(): Entry[] {
    return [...this.running, ...this.waiting.map(({ entry }) => entry)];
  }

  /** @param isResumed whether it comes before others with the same end */
  private enter(entry: Entry, gone: AbortSignal, isResumed = false): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
        reject(gone.reason as Error);
      };
      const start = (): void => {
        gone.removeEventListener('abort', giveUp);
        this.running.add(entry);
        resolve();
      };
      const waiting = { entry, start };
      if (gone.aborted) {
        reject(gone.reason as Error);
        return;
      }
      gone.addEventListener('abort', giveUp, { once: true });
      if (isResumed) this.waiting.unshift(waiting);
      else this.waiting.push(waiting);
      this.startNext();
    });
  }

  private leave(entry: Entry): void {
    this.running.delete(entry);
    this.startNext();
  }

  private startNext(): void {
    for (;;) {
      const next = this.findWaitingBeside([...this.running]);
      if (!next) return;
      this.waiting = this.waiting.filter((one) => one !== next);
      next.start();
    }
  }

  /** Waiting work that is to be served before a running one. */
  private findSuccessor(entry: Entry): Waiting | undefined {
    const next = this.findWaitingBeside([...this.running].filter((one) => one !== entry));
    return next && next.entry.virtual.end < entry.virtual.end ? next : undefined;
  }

  /** The first waiting work that may run beside others. */
  private findWaitingBeside(others: readonly Entry[]): Waiting | undefined {
    if (others.length >= this.capacity) return undefined;
    const hasLarge = others.some(({ work }) => work.isLarge === true);
    const counts = new Map<string, number>();
    for (const { work } of others) counts.set(work.address, (counts.get(work.address) ?? 0) + 1);
    let first: Waiting | undefined;
    for (const one of this.waiting) {
      const { work, virtual } = one.entry;
      if (first && first.entry.virtual.end <= virtual.end) continue;
      if (hasLarge && work.isLarge === true) continue;
      if ((counts.get(work.address) ?? 0) < this.maxPerAddress) first = one;
    }
    return first;
  }
}
