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
  readonly client: string;
  readonly since: number;
  readonly start: (end: () => void) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Milliseconds that a response counts for before it has ended: a second one of a client waits behind
 * the first ones of others.
 */
const EXPECTED_MS = 500;

/** How much later a response comes for each recent millisecond of its client. */
const PENALTY_FACTOR = 4;

/** Limit keys of IPv6 addresses begin so; networks of this size belong to one site (RFC 6177). */
const SITE = /^[^:]*:[^:]*:[^:]*/;

/** The address of a client, or the first 48 bits of an IPv6 address. */
const clientOf = (addressKey: string): string =>
  (addressKey.includes(':') && SITE.exec(addressKey)?.[0]) || addressKey;

/**
 * Limits how many large responses are rendered, or compressed, at once. They come in the order in
 * which they were asked for, but the more recent processing time a client has had, the later. Clients
 * that send many requests thus wait behind others, and nobody waits for ever. When too many wait, the
 * queue rejects the response that would come last.
 */
export class LargeResponseQueue {
  /** The number of running responses by client. */
  private readonly running = new Map<string, number>();
  private runningTotal = 0;
  private waiting: Waiting[] = [];
  private readonly spent = new RecentTime();
  private readonly maxPerClient: number;

  constructor(private readonly limits: LargeResponseLimits) {
    this.maxPerClient = Math.ceil(limits.concurrent / 2);
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
    const client = clientOf(addressKey);
    if (this.mayStart(client)) return this.begin(client);
    return new WaitingTime(presence).wait((gone) => this.enter(client, gone));
  }

  private enter(client: string, gone: AbortSignal): Promise<() => void> {
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
      const waiting = { client, since: performance.now(), start, refuse };
      if (gone.aborted) {
        reject(gone.reason as Error);
        return;
      }
      gone.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
      if (this.waiting.length > this.limits.waiting) this.refuseLast();
    });
  }

  private mayStart(client: string): boolean {
    return (
      this.runningTotal < this.limits.concurrent &&
      (this.running.get(client) ?? 0) < this.maxPerClient
    );
  }

  private begin(client: string): () => void {
    const since = performance.now();
    this.runningTotal += 1;
    this.running.set(client, (this.running.get(client) ?? 0) + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.spent.add(client, performance.now() - since);
      this.end(client);
    };
  }

  private end(client: string): void {
    this.runningTotal -= 1;
    const left = (this.running.get(client) ?? 0) - 1;
    if (left > 0) this.running.set(client, left);
    else this.running.delete(client);
    const next = this.inOrder().find((one) => this.mayStart(one.client));
    if (!next) return;
    this.leave(next);
    next.start(this.begin(next.client));
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
    const times = new Map<string, number>();
    return this.waiting
      .map((waiting) => {
        const { client, since } = waiting;
        const running = (this.running.get(client) ?? 0) * EXPECTED_MS;
        const time = times.get(client) ?? this.spent.of(client) + running;
        times.set(client, time + EXPECTED_MS);
        return { waiting, place: since + PENALTY_FACTOR * time };
      })
      .sort((one, other) => one.place - other.place)
      .map(({ waiting }) => waiting);
  }
}
