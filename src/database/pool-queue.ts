import { type ClientPresence } from '../api/http/client-presence';
import { type Share } from './pool-shares';

/** Why a connection was not given: the queue is full, or it does not move. */
export class PoolBusy extends Error {}

/** The client left while its request waited, so that nobody needs the connection. */
export class ClientLeft extends Error {}

/** How much may wait, and how long. */
export interface QueueLimits {
  /** Requests that wait for a connection at most. */
  readonly length: number;
  /** Milliseconds that a request should wait at most. */
  readonly requestTimeoutMs: number;
  /** Milliseconds that anything waits at most; 0 is no limit. */
  readonly timeoutMs: number;
}

/** Who asks for a connection. */
export interface Asker {
  /** What it takes from; nothing for work of the service's own. */
  readonly shares: readonly Share[];
  /** Goes before all others. */
  readonly first?: boolean;
  /** Whether the client is still there; undefined when the work is done in any case. */
  readonly presence?: ClientPresence | undefined;
  /** Whether also a statement that runs is of no use when the client left. */
  readonly cancellable?: boolean;
}

/** Work of the service's own. */
export const OWN_WORK: Asker = { shares: [] };
/** Probes of operators. */
export const PROBE: Asker = { shares: [], first: true };

/**
 * A request whose time is over stays when, at the pace of its line, its turn comes within so many
 * times that time: in a burst that a busy machine works off, say.
 */
const PATIENCE = 2;

/** Those that take from the same shares, in the order in which they came. */
class Line {
  readonly waiters = new Set<Waiter>();
  /** How many got their turn, and how many left, their turn or not. */
  admitted = 0;
  left = 0;

  constructor(readonly shares: readonly Share[]) {}

  get hasRoom(): boolean {
    return this.shares.every((share) => share.hasRoom);
  }

  add(waiter: Waiter): void {
    this.waiters.add(waiter);
    for (const share of this.shares) share.waiting += 1;
  }

  remove(waiter: Waiter): void {
    this.waiters.delete(waiter);
    this.left += 1;
    for (const share of this.shares) share.waiting -= 1;
  }
}

/** One that waits. */
class Waiter {
  private readonly cameAt = performance.now();
  private readonly ahead: number;
  private readonly admittedBefore: number;
  private readonly leftBefore: number;

  constructor(
    private readonly line: Line,
    readonly place: number,
    readonly admit: () => void,
  ) {
    this.ahead = line.waiters.size;
    this.admittedBefore = line.admitted;
    this.leftBefore = line.left;
  }

  get waitedMs(): number {
    return performance.now() - this.cameAt;
  }

  /** Milliseconds until its turn comes if its line moves on as it did since it came. */
  get expectedMs(): number {
    const pace = (this.line.admitted - this.admittedBefore) / this.waitedMs;
    const ahead = Math.max(0, this.ahead - (this.line.left - this.leftBefore));
    return pace === 0 ? Infinity : ahead / pace;
  }
}

/**
 * Who may use how many connections of a pool. Requests wait in the order in which they came; those
 * whose shares are used up are passed by others. It is bounded: what cannot be served soon is
 * refused at once, rather than after its client has waited in vain.
 */
export class PoolQueue {
  private running = 0;
  /** Requests that wait; the service's own work is not bounded by the queue's length. */
  private waiting = 0;
  private places = 0;
  private readonly lines = new Map<readonly Share[], Line>();

  constructor(
    private readonly size: number,
    private readonly limits: QueueLimits,
  ) {}

  /** Requests and other work that wait now. */
  get length(): number {
    let length = 0;
    for (const { waiters } of this.lines.values()) length += waiters.size;
    return length;
  }

  /**
   * Takes a place among those that use connections; {@link leave} gives it back.
   *
   * @returns undefined when there is one at once
   * @throws PoolBusy, ClientLeft
   */
  enter(asker: Asker): Promise<void> | undefined {
    const { shares, presence } = asker;
    if (presence?.hasLeft) throw new ClientLeft('the client left');
    const line = this.lineOf(shares);
    if (this.running < this.size && line.hasRoom) {
      this.take(shares);
      return undefined;
    }
    if (shares.length > 0 && this.isHopeless(shares)) throw new PoolBusy('the queue is full');
    return this.wait(asker, line);
  }

  /** @param usedMs milliseconds that the connection was used for */
  leave({ shares }: Asker, usedMs: number): void {
    this.running -= 1;
    for (const share of shares) {
      share.running -= 1;
      share.used(usedMs);
    }
    this.admitNext();
  }

  private lineOf(shares: readonly Share[]): Line {
    let line = this.lines.get(shares);
    if (!line) this.lines.set(shares, (line = new Line(shares)));
    return line;
  }

  private isHopeless(shares: readonly Share[]): boolean {
    const { length, requestTimeoutMs } = this.limits;
    return (
      this.waiting >= length ||
      shares.some(
        (share) => share.waiting >= share.maxWaiting || share.expectedWaitMs > requestTimeoutMs,
      )
    );
  }

  private take(shares: readonly Share[]): void {
    this.running += 1;
    for (const share of shares) share.running += 1;
  }

  private wait({ shares, presence, first }: Asker, line: Line): Promise<void> {
    const bounded = shares.length > 0 ? 1 : 0;
    const { requestTimeoutMs, timeoutMs } = this.limits;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        presence?.offLeave(leave);
        line.remove(waiter);
        this.waiting -= bounded;
      };
      const leave = (): void => {
        end();
        reject(new ClientLeft('the client left'));
      };
      const admit = (): void => {
        line.admitted += 1;
        end();
        this.take(shares);
        resolve();
      };
      const place = first ? -1 : (this.places += 1);
      const waiter = new Waiter(line, place, admit);
      const give = (): void => {
        const leftMs = timeoutMs === 0 ? Infinity : timeoutMs - waiter.waitedMs;
        const stays = leftMs > 0 && bounded && waiter.expectedMs < requestTimeoutMs * PATIENCE;
        if (stays) {
          timer = setTimeout(give, Math.min(requestTimeoutMs, leftMs)).unref();
          return;
        }
        end();
        reject(new PoolBusy('no connection was free in time'));
      };
      const firstMs = bounded ? requestTimeoutMs : timeoutMs;
      if (firstMs > 0) timer = setTimeout(give, firstMs).unref();
      presence?.onLeave(leave);
      line.add(waiter);
      this.waiting += bounded;
    });
  }

  private admitNext(): void {
    while (this.running < this.size) {
      let next: Waiter | undefined;
      for (const line of this.lines.values()) {
        const [waiter] = line.waiters;
        if (!waiter || !line.hasRoom) continue;
        if (!next || waiter.place < next.place) next = waiter;
      }
      if (!next) return;
      next.admit();
    }
  }
}
