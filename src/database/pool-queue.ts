import { type ClientPresence } from '../api/http/client-presence';
import { Pace, type Share } from './pool-shares';

/** No connection is available: the queue is full, or does not move. */
export class PoolBusy extends Error {
  /** @param isPart whether other requests of the route may have a connection */
  constructor(
    message: string,
    readonly isPart = false,
  ) {
    super(message);
  }
}

/** The client left while its request waited, so the request needs no connection. */
export class ClientLeft extends Error {}

/** Limits of the queue. */
export interface QueueLimits {
  /** Maximum number of waiting requests; each area may add one if it has none. */
  readonly length: number;
  /** Milliseconds that a request should wait; see {@link PATIENCE}. */
  readonly requestTimeoutMs: number;
  /** Maximum milliseconds that anything waits; 0 means no limit. */
  readonly timeoutMs: number;
}

/** A user of a connection. */
export interface ConnectionRequester {
  /** The share that it counts in; undefined for background work. */
  readonly share: Share | undefined;
  /** Whether it has priority over all others. */
  readonly first?: boolean;
  /** Presence of the client; undefined for work that is done in any case. */
  readonly presence?: ClientPresence | undefined;
  /** Whether to cancel a running statement when the client leaves. */
  readonly cancellable?: boolean;
}

/** Background work of the service. */
export const BACKGROUND_WORK: ConnectionRequester = { share: undefined };
/** Health probes. */
export const PROBE: ConnectionRequester = { share: undefined, first: true };

/**
 * A request keeps waiting after its time limit if, at the pace of its line, it waits at most this
 * multiple of the limit in total. This happens in a burst on a busy machine.
 */
const PATIENCE = 2;

/**
 * Connections of a pool that only areas with fewer of them take: the last one is for areas that have
 * none, the one before for areas that have at most one. Otherwise two areas that wait for a locked
 * table would take all. Small pools have too few connections for that.
 */
const RESERVED = 2;
const MIN_RESERVING_SIZE = 6;

/** Waiters with the same share, in order of arrival. */
class Line {
  readonly waiters = new Set<Waiter>();
  readonly pace: Pace;

  constructor(readonly share: Share | undefined) {
    this.pace = share?.pace ?? new Pace();
  }

  add(waiter: Waiter): void {
    this.waiters.add(waiter);
    this.pace.waiting += 1;
    this.share?.addWaiting();
  }

  remove(waiter: Waiter): void {
    this.waiters.delete(waiter);
    this.pace.waiting -= 1;
    this.pace.left += 1;
    this.share?.removeWaiting();
  }
}

/** A waiter in a line. */
class Waiter {
  private readonly cameAt = performance.now();
  private readonly ahead: number;
  private readonly admittedBefore: number;
  private readonly leftBefore: number;

  constructor(
    private readonly pace: Pace,
    readonly place: number,
    readonly admit: () => void,
  ) {
    this.ahead = pace.waiting;
    this.admittedBefore = pace.admitted;
    this.leftBefore = pace.left;
  }

  get waitedMs(): number {
    return performance.now() - this.cameAt;
  }

  /** Milliseconds until its turn, at the pace of its route since its arrival. */
  get expectedMs(): number {
    const perMs = (this.pace.admitted - this.admittedBefore) / this.waitedMs;
    const ahead = Math.max(0, this.ahead - (this.pace.left - this.leftBefore));
    return perMs === 0 ? Infinity : ahead / perMs;
  }
}

/**
 * Assigns the connections of a pool. Requests wait in order of arrival; others may overtake
 * requests whose share is used up, or whose area must leave connections to others. The queue is
 * bounded: it rejects a request that cannot be served soon at once, instead of after a useless
 * wait.
 */
export class PoolQueue {
  private running = 0;
  /** Number of waiting requests; background work does not count in the queue's length. */
  private waiting = 0;
  private places = 0;
  /** Lines with waiters; those without a share by whether they have priority. */
  private readonly lines = new Map<Share | boolean, Line>();

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
    const { share, presence } = requester;
    if (presence?.hasLeft) throw new ClientLeft('the client left');
    if (this.mayTake(share)) {
      this.take(share);
      return undefined;
    }
    if (share) this.checkHope(share);
    return this.wait(requester);
  }

  /** @param usedMs milliseconds for which the connection was used */
  leave({ share }: ConnectionRequester, usedMs: number): void {
    this.running -= 1;
    share?.giveBack(usedMs);
    this.admitNext();
  }

  /** Whether a connection is free for a share. */
  private mayTake(share: Share | undefined): boolean {
    const free = this.size - this.running;
    if (free <= 0 || share?.hasRoom === false) return false;
    const reserved = share && this.size >= MIN_RESERVING_SIZE ? RESERVED : 0;
    return free > Math.min(reserved, share?.area.running ?? 0);
  }

  /** @throws PoolBusy if a request would not be served soon */
  private checkHope(share: Share): void {
    const { length, requestTimeoutMs } = this.limits;
    // An area without waiting requests may add one to a full queue.
    if (this.waiting >= length && share.area.queued > 0) throw new PoolBusy('the queue is full');
    for (const one of share.withParents) {
      if (one.queued >= one.maxWaiting || one.expectedWaitMs > requestTimeoutMs) {
        throw new PoolBusy('the queue is full', one.isPart);
      }
    }
  }

  private take(share: Share | undefined): void {
    this.running += 1;
    share?.take();
  }

  private wait({ share, presence, first = false }: ConnectionRequester): Promise<void> {
    const key = share ?? first;
    const line = this.lines.get(key) ?? new Line(share);
    this.lines.set(key, line);
    const bounded = share ? 1 : 0;
    const { requestTimeoutMs, timeoutMs } = this.limits;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        presence?.offLeave(leave);
        line.remove(waiter);
        if (line.waiters.size === 0) this.lines.delete(key);
        this.waiting -= bounded;
      };
      const leave = (): void => {
        end();
        reject(new ClientLeft('the client left'));
      };
      const admit = (): void => {
        line.pace.admitted += 1;
        end();
        this.take(share);
        resolve();
      };
      const place = first ? -1 : (this.places += 1);
      const waiter = new Waiter(line.pace, place, admit);
      const give = (): void => {
        const leftMs = timeoutMs === 0 ? Infinity : timeoutMs - waiter.waitedMs;
        const totalMs = waiter.waitedMs + waiter.expectedMs;
        const stays = leftMs > 0 && bounded && totalMs < requestTimeoutMs * PATIENCE;
        if (stays) {
          timer = setTimeout(give, Math.min(requestTimeoutMs, leftMs)).unref();
          return;
        }
        end();
        const isPart = share?.usedUp?.isPart;
        reject(new PoolBusy('no connection was free in time', isPart));
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
        if (!waiter || !this.mayTake(line.share)) continue;
        if (!next || waiter.place < next.place) next = waiter;
      }
      if (!next) return;
      next.admit();
    }
  }
}
