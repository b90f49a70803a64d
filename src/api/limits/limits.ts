import { type Caller } from '../access/access';

/** Owner of a counter; `movie` is the counter of the basic movie tier, for any caller. */
export type CounterName = 'user' | 'application' | 'address' | 'movie';

/** The state of a counter of a request, after the request was counted (D16). */
export interface CounterState {
  readonly name: CounterName;
  /** The limited party, which determines the code: 111 for a caller, 112 for an address. */
  readonly on: 'caller' | 'address';
  /** Which of the two pairs of `X-RateLimit` headers report it. */
  readonly shown: 'first' | 'second' | 'both' | 'neither';
  /** Source of the limit: the name of a setting, or the application's own limit. */
  readonly source: string;
  /** Requests per window; null means no limit. */
  readonly limit: number | null;
  /** Requests so far; 0 where nothing is counted. */
  readonly used: number;
  /** Length of the window in seconds. */
  readonly window: number;
  /** Milliseconds until the window ends; its full length when it has not begun. */
  readonly reset: number;
}

export interface LimitDecision {
  readonly counters: readonly CounterState[];
  /** When `counters` were read, by `performance.now()`. */
  readonly readAt: number;
  /** The full counter that rejects the request; of several, the counter whose window ends last. */
  readonly refusedBy: CounterState | undefined;
}

/** The properties of a request that limits depend on. */
export interface LimitedRequest {
  readonly caller: Caller;
  /** Limit key of the client's address. */
  readonly address: string;
  /** Whether it is in the basic movie tier, which has a limit of its own. */
  readonly movie: boolean;
  /** Whether it is in the premium tier, which has no limit. */
  readonly premium: boolean;
  /** Method and path of the route if it is deprecated. */
  readonly deprecated?: string | undefined;
  /** Whether it is for a public page, which counts in the limit of pages alone. */
  readonly page?: boolean;
}

/** Remaining requests; null without a limit. */
export const remainingOf = ({ limit, used }: CounterState): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** Seconds until a counter's window ends, rounded up. */
export const secondsUntilReset = ({ reset }: CounterState): number =>
  Math.max(1, Math.ceil(reset / 1000));

/**
 * Counts requests. Implemented by the `limits` module, which the HTTP contract must not import.
 * Results are promises unless the counters are in memory.
 */
export abstract class RequestLimiter {
  /** Counts a request in all its counters, or in none when one of them is full. */
  abstract consume(call: LimitedRequest): LimitDecision | Promise<LimitDecision>;

  /**
   * Uncounts a request in the counters of its caller; those of its address keep it (D47). A counter
   * whose window has ended meanwhile is not changed: the request did not count in the current one.
   *
   * @param decision the result of {@link consume}
   */
  abstract refund(
    call: LimitedRequest,
    decision: LimitDecision,
  ): LimitDecision | Promise<LimitDecision>;

  /** Reads the counters of a request without counting it. */
  abstract read(call: LimitedRequest): Promise<LimitDecision>;
}
