import { WaitingTime } from '../body/turn';
import { unavailable } from '../errors/error-codes';
import { type RequestContext } from '../http/request-context';
import { RecentTime } from './recent-time';

/** A response of more bytes counts as large. */
export const LARGE_RESPONSE_BYTES = 1_000_000;

/** Limits of {@link LargeResponseQueue}. */
export interface LargeResponseLimits {
  /** Maximum number of responses that have a turn at once: at most half of them, rounded up, for one address. */
  readonly concurrent: number;
  /** Maximum number of responses that wait. They may hold their rows or body in memory. */
  readonly waiting: number;
}

interface Waiting {
  readonly address: string;
  readonly start: (end: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Milliseconds that a response counts for before it has ended: a second one of an address waits behind
 * the first ones of others.
 */
const EXPECTED_MS = 500;

/**
 * Limits how many large responses are rendered, or compressed, at once. The address with the least
 * recent processing time comes first: addresses that send many requests wait behind others, even if
 * there are many of them. When too many wait, the queue rejects the response that would come last.
 */
export class LargeResponseQueue {
  /** The number of running responses by limit key of the address. */
  private readonly running = new Map<string, number>();
  private runningTotal = 0;
  private waiting: Waiting[] = [];
  private readonly spent = new RecentTime();
  private readonly maxPerAddress: number;

  constructor(private readonly limits: LargeResponseLimits) {
    this.maxPerAddress = Math.ceil(limits.concurrent / 2);
  }

  /**
   * Waits for the turn of a request.
   *
   * @returns a function that ends the turn
   * @throws ApiError 999 with 503 when too many responses wait, the client leaves, or the waiting time
   *   is over (D5)
   */
  async acquire({
    addressKey: address,
    presence,
  }: Pick<RequestContext, 'addressKey' | 'presence'>): Promise<() => void> {
    if (this.mayStart(address)) return this.begin(address);
    return new WaitingTime(presence).wait((gone) => this.enter(address, gone));
  }

  private enter(address: string, gone: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.leave(waiting);
        reject(gone.reason as Error);
      };
      const start = (end: () => void): void => {
        gone.removeEventListener('abort', giveUp);
        resolve(end);
      };
      const refuse = (error: Error): void => {
        gone.removeEventListener('abort', giveUp);
        reject(error);
      };
      const waiting = { address, start, refuse };
      if (gone.aborted) {
        reject(gone.reason as Error);
        return;
      }
      gone.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
      if (this.waiting.length > this.limits.waiting) this.refuseLast();
    });
  }

  private mayStart(address: string): boolean {
    return (
      this.runningTotal < this.limits.concurrent &&
      (this.running.get(address) ?? 0) < this.maxPerAddress
    );
  }

  private begin(address: string): () => void {
    const since = performance.now();
    this.runningTotal += 1;
    this.running.set(address, (this.running.get(address) ?? 0) + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.spent.add(address, performance.now() - since);
      this.end(address);
    };
  }

  private end(address: string): void {
    this.runningTotal -= 1;
    const left = (this.running.get(address) ?? 0) - 1;
    if (left > 0) this.running.set(address, left);
    else this.running.delete(address);
    const next = this.inOrder().find((one) => this.mayStart(one.address));
    if (!next) return;
    this.leave(next);
    next.start(this.begin(next.address));
  }

  private leave(waiting: Waiting): void {
    this.waiting = this.waiting.filter((one) => one !== waiting);
  }

  private refuseLast(): void {
    const last = this.inOrder().at(-1) as Waiting;
    this.leave(last);
    last.refuse(unavailable(new Error('too many large responses')));
  }

  /** Those that wait, by the time that will have been spent for their address when they begin. */
  private inOrder(): Waiting[] {
    const times = new Map<string, number>();
    return this.waiting
      .map((waiting) => {
        const { address } = waiting;
        const running = (this.running.get(address) ?? 0) * EXPECTED_MS;
        const time = times.get(address) ?? this.spent.of(address) + running;
        times.set(address, time + EXPECTED_MS);
        return { waiting, time };
      })
      .sort((one, other) => one.time - other.time)
      .map(({ waiting }) => waiting);
  }
}
