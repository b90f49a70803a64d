import { WaitingTime } from '../body/turn';
import { unavailable } from '../errors/error-codes';
import { type CountedKey, countedKeys, type NetworkShares } from '../http/client-networks';
import { type RequestContext } from '../http/request-context';
import { RecentTime } from './recent-time';

/** A response of more bytes counts as large. */
export const LARGE_RESPONSE_BYTES = 1_000_000;

/** Limits of {@link LargeResponseQueue}. */
export interface LargeResponseLimits {
  /**
   * Maximum number of responses that have a turn at once: at most half of them, rounded up, for one
   * address.
   */
  readonly concurrent: number;
  /** Maximum number of responses that wait. They may hold their rows or body in memory. */
  readonly waiting: number;
}

interface Waiting {
  readonly address: string;
  readonly since: number;
  readonly start: (end: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Milliseconds that a response counts for before it has ended: a second one of a client waits behind
 * the first ones of others.
 */
const EXPECTED_MS = 500;

/**
 * How much later a response comes for each recent millisecond of its client. A client that asks for
 * the first time comes before all that have had a turn, unless these have waited for seconds.
 */
const PENALTY_FACTOR = 20;

/**
 * The parts of the time of networks that count for each of their clients. Others in a network still
 * come before one that had much time.
 */
const NETWORK_SHARES: NetworkShares = { site: 1 / 4, provider: 1 / 16 };

/** The address with a limit key, and its networks. */
const keysOf = (address: string): readonly CountedKey[] => countedKeys(address, NETWORK_SHARES);

/**
 * Limits how many large responses are rendered, or compressed, at once. They come in the order in
 * which they were asked for, but the more recent processing time their address or network has had,
 * the later. Clients that send many requests thus wait behind others, and nobody waits for ever. When
 * too many wait, the queue rejects the response that would come last.
 */
export class LargeResponseQueue {
  /** The number of running responses by address, and by network. */
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
    addressKey,
    presence,
  }: Pick<RequestContext, 'addressKey' | 'presence'>): Promise<() => void> {
    if (this.mayStart(addressKey)) return this.begin(addressKey);
    return new WaitingTime(presence).wait((gone) => this.enter(addressKey, gone));
  }

  private enter(address: string, gone: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiting = { address, since: performance.now(), start: resolve, refuse: reject };
      const giveUp = (): void => {
        this.leave(waiting);
        reject(gone.reason as Error);
      };
      if (gone.aborted) {
        giveUp();
        return;
      }
      // The signal belongs to this wait: after its end, giving up has no effect.
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
    const keys = keysOf(address);
    this.runningTotal += 1;
    for (const { key } of keys) this.running.set(key, (this.running.get(key) ?? 0) + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.runningTotal -= 1;
      const milliseconds = performance.now() - since;
      for (const { key } of keys) {
        this.spent.add(key, milliseconds);
        const left = (this.running.get(key) ?? 0) - 1;
        if (left > 0) this.running.set(key, left);
        else this.running.delete(key);
      }
      this.startNext();
    };
  }

  private startNext(): void {
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

  /** Those that wait, in the order in which they come. */
  private inOrder(): Waiting[] {
    const before = new Map<string, number>();
    /** Recent milliseconds of an address or network, with those of its responses that come before. */
    const timeOf = (key: string): number => {
      const responses = (this.running.get(key) ?? 0) + (before.get(key) ?? 0);
      before.set(key, (before.get(key) ?? 0) + 1);
      return this.spent.of(key) + responses * EXPECTED_MS;
    };
    return this.waiting
      .map((waiting) => {
        const times = keysOf(waiting.address).map(({ key, share }) => share * timeOf(key));
        return { waiting, place: waiting.since + PENALTY_FACTOR * Math.max(...times) };
      })
      .sort((one, other) => one.place - other.place)
      .map(({ waiting }) => waiting);
  }
}
