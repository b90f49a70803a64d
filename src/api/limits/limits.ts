import { type Caller } from '../access/access';

/** What a counter counts the calls of; `movie` is the basic movie tier's, of whoever calls. */
export type CounterName = 'user' | 'application' | 'address' | 'movie';

/** One counter that concerns a call, as it stands after the call was counted (D16). */
export interface CounterState {
  readonly name: CounterName;
  /** Whom the limit is on: decides between codes 111 and 112. */
  readonly on: 'caller' | 'address';
  /** Which of the two pairs of `X-RateLimit` headers show it. */
  readonly shown: 'first' | 'second' | 'both' | 'neither';
  /** What the limit comes from: the name of a setting, or the application's own limit. */
  readonly source: string;
  /** Calls in a window; null is no limit. */
  readonly limit: number | null;
  /** Calls so far; 0 where nothing is counted. */
  readonly used: number;
  /** Seconds that a window lasts. */
  readonly window: number;
  /** Milliseconds until the window ends; all of it when it has not begun. */
  readonly reset: number;
}

export interface LimitDecision {
  readonly counters: readonly CounterState[];
  /** The counter that refuses the call; of several, the one that does so longest. */
  readonly refusedBy: CounterState | undefined;
}

/** A call, as far as limits are about it. */
export interface LimitedCall {
  readonly caller: Caller;
  /** What the client's address counts as. */
  readonly address: string;
  /** It is in the basic movie tier, which has a limit of its own. */
  readonly movie: boolean;
  /** It is in the premium tier, which has none. */
  readonly premium: boolean;
}

/** Calls that are left; none where there is no limit. */
export const remainingOf = ({ limit, used }: CounterState): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** Whole seconds until a counter's window ends: never less than it takes. */
export const secondsUntilReset = ({ reset }: CounterState): number =>
  Math.max(1, Math.ceil(reset / 1000));

/**
 * Counts calls. Implemented by the `limits` module, which the HTTP contract must not import.
 */
export abstract class RequestLimiter {
  /** Counts a call in all its counters, or, when one of them is full, in none. */
  abstract take(call: LimitedCall): Promise<LimitDecision>;

  /** How a call's counters stand, without counting it; nothing is refused. */
  abstract look(call: LimitedCall): Promise<LimitDecision>;
}
