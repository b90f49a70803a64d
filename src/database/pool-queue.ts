import { type ClientPresence } from '../api/http/client-presence';
import { type Share } from './pool-shares';

/** No connection is available: the queue is full, or does not move. */
export class PoolBusy extends Error {}

/** The client left while its request waited, so the request needs no connection. */
export class ClientLeft extends Error {}

/** Limits of the queue. */
export interface QueueLimits {
  /** Maximum number of waiting requests. */
  readonly length: number;
  /** Milliseconds that a request should wait; see {@link PATIENCE}. */
  readonly requestTimeoutMs: number;
  /** Maximum milliseconds that anything waits; 0 means no limit. */
  readonly timeoutMs: number;
}

/** A user of a connection. */
export interface ConnectionRequester {
  /** The shares that it counts in; none for background work. */
  readonly shares: readonly Share[];
  /** Whether it has priority over all others. */
  readonly first?: boolean;
  /** Presence of the client; undefined for work that is done in any case. */
  readonly presence?: ClientPresence | undefined;
  /** Whether to cancel a running statement when the client leaves. */
  readonly cancellable?: boolean;
}

/** Background work of the service. */
export const BACKGROUND_WORK: ConnectionRequester = { shares: [] };
/** Health probes. */
export const PROBE: ConnectionRequester = { shares: [], first: true };

/**
 * A request keeps waiting after its time limit if, at the pace of its line, it waits at most this
 * multiple of the limit in total. This happens in a burst on a busy machine.
 */
const PATIENCE = 2;

/** Waiters with the same shares, in order of arrival. */
class Line {
  readonly waiters = new Set<Waiter>();
  /** Number of admitted waiters, and of all that left the line. */
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

/** A waiter in a line. */
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

  /** Milliseconds until its turn, at the pace of its line since its arrival. */
  get expectedMs(): number {
    const pace = (this.line.admitted - this.admittedBefore) / this.waitedMs;
    const ahead = Math.max(0, this.ahead - (this.line.left - this.leftBefore));
    return pace === 0 ? Infinity : ahead / pace;
  }
}

/**
 * Assigns the connections of a pool. Requests wait in order of arrival; others may overtake
 * requests whose shares are used up. The queue is bounded: it rejects a request that cannot be
 * served soon at once, instead of after a useless wait.
 */
export class PoolQueue {
  private running = 0;
  /** Number of waiting requests; background work does not count in the queue's length. */
  private waiting = 0;
  private places = 0;
  private readonly lines = new Map<readonly Share[], Line>();

  constructor(
    private readonly size: number,
    private readonly limits: QueueLimits,
  ) {}

  /** Number of waiting requests and other work. */
  get length(): number {
    let length = 0;
    for (const { waiters } of this.lines.values()) length += waiters.size;
    return length;
  }

  /**
   * Acquires a connection slot; {@link leave} releases it.
   *
   * @returns undefined when a slot is free at once
   * @throws PoolBusy, ClientLeft
   */
  enter(requester: ConnectionRequester): Promise<void> | undefined {
    const { shares, presence } = requester;
    if (presence?.hasLeft) throw new ClientLeft('the client left');
    const line = this.lineOf(shares);
    if (this.running < this.size && line.hasRoom) {
      this.take(shares);
      return undefined;
    }
    if (shares.length > 0 && this.isHopeless(shares)) throw new PoolBusy('the queue is full');
    return this.wait(requester, line);
  }

  /** @param usedMs milliseconds for which the connection was used */
  leave({ shares }: ConnectionRequester, usedMs: number): void {
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

  private wait({ shares, presence, first }: ConnectionRequester, line: Line): Promise<void> {
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
        const totalMs = waiter.waitedMs + waiter.expectedMs;
        const stays = leftMs > 0 && bounded && totalMs < requestTimeoutMs * PATIENCE;
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
