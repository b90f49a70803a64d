import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/errors/errors';
import { type Count, type Counted } from '../limits/counters';
import { SharedCounters } from '../limits/shared-counters';

const MINUTE = 60;

/** Wrong guesses that are allowed in so many seconds, by what is guessed at. */
const ALLOWED = {
  /** Client secrets, from one address. */
  client: { limit: 100, window: 10 * MINUTE },
  /** One user's password, from one address. */
  password: { limit: 5, window: 15 * MINUTE },
  /** One user's password, from anywhere: more, so that others cannot lock the user out cheaply. */
  user: { limit: 100, window: 15 * MINUTE },
  /** Passwords of anybody, from one address. */
  address: { limit: 50, window: 15 * MINUTE },
  /** One user's password, from one browser that signed the user in before. */
  device: { limit: 10, window: 15 * MINUTE },
  /** Sign-ins of one user, and from one address, that succeed: each takes time and memory. */
  userSignIn: { limit: 60, window: 15 * MINUTE },
  addressSignIn: { limit: 600, window: 15 * MINUTE },
  /** Passwords of anybody with a solved challenge, right or wrong, from one address. */
  challenged: { limit: 300, window: 15 * MINUTE },
  /** Wrong passwords of one user with solved challenges: they make challenges harder. */
  userChallenged: { limit: 1_000_000, window: 15 * MINUTE },
  /** Accounts made from one address. */
  register: { limit: 100, window: 60 * MINUTE },
} as const;

/** What is guessed at, and whose it is. */
export type Guess = readonly [kind: keyof typeof ALLOWED, key: string];

/** Characters of a uid, password form or address that a counter is known by; none is longer. */
const MAX_LENGTH = 250;

// What is guessed at is what somebody has sent: its length is looked at before anything is made of it.
const counterOf = ([kind, key]: Guess): Counted => ({
  key: `guess:${kind}:${key.length > MAX_LENGTH ? key.slice(0, MAX_LENGTH) : key}`,
  ...ALLOWED[kind],
});

/** Seconds until none of the full counters is full any more; undefined when none is full. */
function waitFor(counters: readonly Counted[], counts: readonly Count[]): number | undefined {
  const full = counts.filter(({ used }, at) => used >= (counters[at]?.limit ?? 0));
  if (full.length === 0) return undefined;
  return Math.max(1, Math.ceil(Math.max(...full.map(({ reset }) => reset ?? 0)) / 1000));
}

/** The refusal of one guess too many. @param seconds to wait */
export function tooManyAttempts(seconds: number): ApiError {
  return new ApiError('rateLimitExceeded1', {
    detail: 'too many wrong attempts, wait before the next',
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Keeps guessing at secrets slow (RFC 6749, section 2.3.1; RFC 6819, section 5.1.4.2.3), in all
 * processes together where they share counters.
 */
@Injectable()
export class Attempts {
  constructor(private readonly shared: SharedCounters) {}

  /** @throws ApiError 111 with 429 when no guess is left */
  async check(...guesses: readonly Guess[]): Promise<void> {
    const seconds = await this.wait(...guesses);
    if (seconds !== undefined) throw tooManyAttempts(seconds);
  }

  /** Seconds until a guess is left; undefined when one is. */
  async wait(...guesses: readonly Guess[]): Promise<number | undefined> {
    const counters = guesses.map(counterOf);
    return waitFor(counters, await this.shared.look(counters));
  }

  /** How many were counted in the present window. */
  async used(guess: Guess): Promise<number> {
    const [count] = await this.shared.look([counterOf(guess)]);
    return count?.used ?? 0;
  }

  /** Counts a wrong guess. */
  async failed(...guesses: readonly Guess[]): Promise<void> {
    await this.shared.take(guesses.map(counterOf));
  }

  /**
   * Counts a guess before it is known whether it is wrong, so that many at once are no more than
   * one after the other.
   *
   * @throws ApiError 111 with 429 when no guess is left
   */
  async take(...guesses: readonly Guess[]): Promise<void> {
    const seconds = await this.tryTake(...guesses);
    if (seconds !== undefined) throw tooManyAttempts(seconds);
  }

  /** Counts a guess as {@link take} does. @returns seconds until one is left, when none is */
  async tryTake(...guesses: readonly Guess[]): Promise<number | undefined> {
    const counters = guesses.map(counterOf);
    const { granted, counts } = await this.shared.take(counters);
    return granted ? undefined : (waitFor(counters, counts) ?? 1);
  }

  /** A guess that was right counts for nothing. */
  giveBack(...guesses: readonly Guess[]): Promise<void> {
    return this.shared.giveBack(guesses.map(counterOf));
  }
}
