import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/errors';
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
  /** Accounts made from one address. */
  register: { limit: 100, window: 60 * MINUTE },
} as const;

/** What is guessed at, and whose it is. */
export type Guess = readonly [kind: keyof typeof ALLOWED, key: string];

/** Characters of a uid, password form or address that a counter is known by; none is longer. */
const LONGEST = 250;

// What is guessed at is what somebody has sent: its length is looked at before anything is made of it.
const counterOf = ([kind, key]: Guess): Counted => ({
  key: `guess:${kind}:${key.length > LONGEST ? key.slice(0, LONGEST) : key}`,
  ...ALLOWED[kind],
});

/** The refusal of one guess too many, for as long as the last of the full counters is full. */
function tooMany(counters: readonly Counted[], counts: readonly Count[]): ApiError {
  const waits = counts.map(({ used, reset }, at) =>
    used >= (counters[at]?.limit ?? 0) ? (reset ?? 0) : 0,
  );
  const seconds = Math.max(1, Math.ceil(Math.max(...waits) / 1000));
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
    const counters = guesses.map(counterOf);
    const counts = await this.shared.look(counters);
    if (counts.some(({ used }, at) => used >= (counters[at]?.limit ?? 0))) {
      throw tooMany(counters, counts);
    }
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
    const counters = guesses.map(counterOf);
    const { granted, counts } = await this.shared.take(counters);
    if (!granted) throw tooMany(counters, counts);
  }

  /** A guess that was right counts for nothing. */
  giveBack(...guesses: readonly Guess[]): Promise<void> {
    return this.shared.giveBack(guesses.map(counterOf));
  }
}
