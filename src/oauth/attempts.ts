import { Injectable } from '@nestjs/common';
import { ApiError } from '../api/errors/error-codes';
import { type Count, type Counted } from '../limits/counters';
import { SharedCounters } from '../limits/shared-counters';

const MINUTE = 60;

/** Maximum attempts per window, by kind. */
const ALLOWED = {
  /** Wrong client secrets, from one address. */
  client: { limit: 100, window: 10 * MINUTE },
  /** One user's password, from one address. */
  password: { limit: 5, window: 15 * MINUTE },
  /** One user's password, from anywhere: higher, so that others cannot easily lock the user out. */
  user: { limit: 100, window: 15 * MINUTE },
  /** Passwords of any user, from one address. */
  address: { limit: 50, window: 15 * MINUTE },
  /** One user's password, from one browser that signed the user in before. */
  device: { limit: 10, window: 15 * MINUTE },
  /** Sign-ins of one user, and from one address, that succeed: each takes time and memory. */
  userSignIn: { limit: 60, window: 15 * MINUTE },
  addressSignIn: { limit: 600, window: 15 * MINUTE },
  /** Passwords of any user with a solved challenge, right or wrong, from one address. */
  challenged: { limit: 300, window: 15 * MINUTE },
  /** Wrong passwords of one user with solved challenges: they make challenges harder. */
  userChallenged: { limit: 1_000_000, window: 15 * MINUTE },
  /** Password changes of one user, right or wrong: each takes time and memory. */
  passwordChange: { limit: 10, window: 15 * MINUTE },
  /** Tokens of an application itself, tokens refreshed for a user and application, consents of a user. */
  ownTokens: { limit: 300, window: 60 * MINUTE },
  refreshes: { limit: 300, window: 60 * MINUTE },
  consents: { limit: 300, window: 60 * MINUTE },
  /** Forms of a developer: their changes stay in the audit log. */
  developerForm: { limit: 300, window: 60 * MINUTE },
  /** Accounts created from one address. */
  register: { limit: 100, window: 60 * MINUTE },
} as const;

/** The kind and key of an attempt. */
export type AttemptKey = readonly [kind: keyof typeof ALLOWED, key: string];

/** Maximum length of a counter's key; valid keys are shorter. */
const MAX_LENGTH = 250;

// The key contains caller input, so it is truncated first.
const counterOf = ([kind, key]: AttemptKey): Counted => ({
  key: `guess:${kind}:${key.length > MAX_LENGTH ? key.slice(0, MAX_LENGTH) : key}`,
  ...ALLOWED[kind],
});

/** Seconds until none of the full counters is full any more; undefined when none is full. */
function waitFor(counters: readonly Counted[], counts: readonly Count[]): number | undefined {
  const full = counts.filter(({ used }, at) => used >= (counters[at]?.limit ?? 0));
  if (full.length === 0) return undefined;
  return Math.max(1, Math.ceil(Math.max(...full.map(({ reset }) => reset ?? 0)) / 1000));
}

/** The error for too many attempts. @param seconds to wait */
export function tooManyAttempts(seconds: number): ApiError {
  return new ApiError('rateLimitExceeded1', {
    detail: 'too many attempts; retry later',
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Limits attempts to guess secrets (RFC 6749, section 2.3.1; RFC 6819, section 5.1.4.2.3), for all
 * processes if they share counters.
 */
@Injectable()
export class Attempts {
  constructor(private readonly shared: SharedCounters) {}

  /** @throws ApiError 111 with 429 when no attempt is left */
  async check(...keys: readonly AttemptKey[]): Promise<void> {
    const seconds = await this.wait(...keys);
    if (seconds !== undefined) throw tooManyAttempts(seconds);
  }

  /** Seconds until an attempt is allowed; undefined when it is allowed now. */
  async wait(...keys: readonly AttemptKey[]): Promise<number | undefined> {
    const counters = keys.map(counterOf);
    return waitFor(counters, await this.shared.read(counters));
  }

  /** Number of attempts in the current window. */
  async used(key: AttemptKey): Promise<number> {
    const [count] = await this.shared.read([counterOf(key)]);
    return count?.used ?? 0;
  }

  /** Counts attempts without checking their limits. */
  async record(...keys: readonly AttemptKey[]): Promise<void> {
    await this.shared.consume(keys.map(counterOf));
  }

  /**
   * Counts an attempt before its check, so that concurrent attempts do not exceed the limit.
   *
   * @throws ApiError 111 with 429 when no attempt is left
   */
  async consume(...keys: readonly AttemptKey[]): Promise<void> {
    const seconds = await this.tryConsume(...keys);
    if (seconds !== undefined) throw tooManyAttempts(seconds);
  }

  /** Counts an attempt like {@link consume}. @returns seconds to wait when none is left */
  async tryConsume(...keys: readonly AttemptKey[]): Promise<number | undefined> {
    const counters = keys.map(counterOf);
    const { granted, counts } = await this.shared.consume(counters);
    return granted ? undefined : (waitFor(counters, counts) ?? 1);
  }

  /**
   * Counts an attempt like {@link consume} and runs it. An attempt that fails because the service is
   * unavailable (503) does not count: the client may retry it.
   *
   * @throws ApiError 111 with 429 when no attempt is left; errors of `work`
   */
  async count<T>(keys: readonly AttemptKey[], work: () => Promise<T>): Promise<T> {
    if (keys.length > 0) await this.consume(...keys);
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status === 503 && keys.length > 0)
        await this.refund(...keys);
      throw error;
    }
  }

  /** Uncounts a right attempt. */
  async refund(...keys: readonly AttemptKey[]): Promise<void> {
    await this.shared.refund(keys.map((key) => ({ counter: counterOf(key) })));
  }
}
