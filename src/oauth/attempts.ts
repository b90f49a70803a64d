import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../api/errors';

const MINUTE = 60;

/** Wrong guesses that are allowed in so many seconds, by what is guessed at. */
const ALLOWED = {
  /** Client secrets, from one address. */
  client: { points: 100, duration: 10 * MINUTE },
  /** One user's password, from one address. */
  password: { points: 5, duration: 15 * MINUTE },
  /** One user's password, from anywhere: more, so that others cannot lock the user out cheaply. */
  user: { points: 100, duration: 15 * MINUTE },
  /** Passwords of anybody, from one address. */
  address: { points: 50, duration: 15 * MINUTE },
  /** Accounts made from one address. */
  register: { points: 100, duration: 60 * MINUTE },
} as const;
export type Guessed = keyof typeof ALLOWED;

/** The refusal of one guess too many. */
function tooMany(result: RateLimiterRes): ApiError {
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  return new ApiError('rateLimitExceeded1', {
    detail: 'too many wrong attempts, wait before the next',
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Keeps guessing at secrets slow (RFC 6749, section 2.3.1; RFC 6819, section 5.1.4.2.3). */
@Injectable()
export class Attempts {
  private readonly limiters = new Map(
    Object.entries(ALLOWED).map(([kind, options]) => [
      kind,
      new RateLimiterMemory({ keyPrefix: `guess:${kind}`, ...options }),
    ]),
  );

  private limiter(kind: Guessed): RateLimiterMemory {
    const limiter = this.limiters.get(kind);
    if (!limiter) throw new Error(`nobody guesses at ${kind}`);
    return limiter;
  }

  /** @throws ApiError 111 with 429 when no guess is left */
  async check(kind: Guessed, key: string): Promise<void> {
    const result = await this.limiter(kind).get(key);
    if (result && result.consumedPoints >= ALLOWED[kind].points) throw tooMany(result);
  }

  /** Counts a wrong guess. */
  async failed(kind: Guessed, key: string): Promise<void> {
    await this.limiter(kind).penalty(key);
  }

  /**
   * Counts a guess before it is known whether it is wrong, so that many at once are no more than
   * one after the other.
   *
   * @throws ApiError 111 with 429 when no guess is left
   */
  async take(kind: Guessed, key: string): Promise<void> {
    try {
      await this.limiter(kind).consume(key);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw tooMany(error);
      throw error;
    }
  }

  /** A guess that was right counts for nothing. */
  async giveBack(kind: Guessed, key: string): Promise<void> {
    await this.limiter(kind).reward(key);
  }
}
