import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type CaptchaSolution } from '../api/writes/captcha';
import { ApiError } from '../api/errors/error-codes';
import { Settings } from '../config/settings';
import {
  CaptchaService,
  type CaptchaChallenge,
  type ChallengePurpose,
} from '../moderation/captcha.service';
import { Attempts, type AttemptKey } from '../oauth/attempts';

/** Wrong passwords of one user with solved challenges until the difficulty doubles. */
const HARDER_AFTER = 100;
/** Maximum number of doublings. */
const MAX_DOUBLINGS = 5;
/** Maximum difficulty (the count of numbers to try), unless the setting is higher. */
const HIGHEST_DIFFICULTY = 10_000_000;

/** The user, address and browser of a sign-in attempt. */
export interface SignInOrigin {
  /** The uid from the form; the user may not exist. */
  readonly uid: string;
  /** The key of the client's address in rate limits. */
  readonly address: string;
  /** The key of the browser's own counter, if the user has signed in with it before. */
  readonly device: string | undefined;
  /** The solution of the page's challenge. */
  readonly solution: CaptchaSolution | undefined;
}

/** An attempt whose password may be checked. */
export interface AdmittedAttempt {
  readonly trusted: boolean;
  /** Reports a right password; the attempt no longer counts as wrong. */
  succeed(): Promise<void>;
  /** Reports that the password was not checked; the attempt no longer counts. */
  release(): Promise<void>;
}

/** The requirement of the next attempt: a solved challenge, or a wait. */
export interface ChallengedAttempt {
  readonly challenge: CaptchaChallenge;
  /** Seconds until an attempt needs no challenge. */
  readonly seconds: number;
}

/** Counters for browsers in which the user has not signed in before. */
const untrustedDeviceKeys = ({
  uid,
  address,
}: Pick<SignInOrigin, 'uid' | 'address'>): AttemptKey[] => [
  ['password', `${uid} ${address}`],
  ['user', uid],
  ['address', address],
];

/**
 * Limits password attempts (brute force, RFC 6819, section 5.1.4.2.3) without locking users out:
 *
 * - A browser in which the user has signed in before has its own counter of wrong passwords.
 * - Other browsers share counters of the user and of the address. When one is full, each attempt
 *   needs a proof of work. Its difficulty grows with the number of wrong passwords for the user.
 * - Attempts with proofs of work are limited per address, too.
 */
@Injectable()
export class SignInLimits {
  private readonly difficulty: number;

  constructor(
    private readonly attempts: Attempts,
    private readonly captchas: CaptchaService,
    settings: Settings,
  ) {
    this.difficulty = settings.CAPTCHA_DIFFICULTY;
  }

  /**
   * Counts an attempt as wrong before its password is checked.
   *
   * @throws ApiError 111 with 429 after too many attempts of the address with challenges
   */
  async admit(origin: SignInOrigin): Promise<AdmittedAttempt | ChallengedAttempt> {
    const { uid, address, device } = origin;
    const signInKeys: AttemptKey[] = [
      ['userSignIn', uid],
      ['addressSignIn', address],
    ];
    const admitted = (
      trusted: boolean,
      wrong: readonly AttemptKey[],
      others: readonly AttemptKey[] = [],
    ): AdmittedAttempt => ({
      trusted,
      succeed: async () => {
        await this.attempts.refund(...wrong);
        await this.attempts.record(...signInKeys);
      },
      release: () => this.attempts.refund(...wrong, ...others),
    });
    if (device !== undefined) {
      const own: AttemptKey = ['device', device];
      const wait = await this.attempts.wait(...signInKeys);
      if (wait === undefined && (await this.attempts.tryConsume(own)) === undefined) {
        return admitted(true, [own]);
      }
    }
    const shared = untrustedDeviceKeys(origin);
    const seconds =
      (await this.attempts.wait(...signInKeys)) ?? (await this.attempts.tryConsume(...shared));
    if (seconds === undefined) return admitted(false, shared);
    if (!(await this.isSolved(origin))) return { challenge: await this.challenge(uid), seconds };
    const challenged: AttemptKey = ['challenged', address];
    await this.attempts.consume(challenged);
    const harder: AttemptKey = ['userChallenged', uid];
    await this.attempts.record(harder);
    return admitted(false, [harder], [challenged]);
  }

  /**
   * Creates the challenge for the next attempt.
   *
   * @returns undefined when the next attempt needs no challenge
   */
  async next({ uid, address, device }: SignInOrigin): Promise<ChallengedAttempt | undefined> {
    if (device !== undefined && (await this.attempts.wait(['device', device])) === undefined) {
      return undefined;
    }
    const seconds = await this.attempts.wait(...untrustedDeviceKeys({ uid, address }));
    return seconds === undefined ? undefined : { challenge: await this.challenge(uid), seconds };
  }

  private async challenge(uid: string): Promise<CaptchaChallenge> {
    return this.captchas.challenge(undefined, await this.purposeOf(uid));
  }

  private async isSolved({ uid, solution }: SignInOrigin): Promise<boolean> {
    if (!solution) return false;
    const { purpose, difficulty } = await this.purposeOf(uid);
    try {
      // Accepts challenges that were created just before the difficulty doubled.
      await this.captchas.spend(solution, { purpose, difficulty: difficulty / 2 });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.error === 'needCaptcha') return false;
      throw error;
    }
  }

  private async purposeOf(uid: string): Promise<ChallengePurpose> {
    const wrong = await this.attempts.used(['userChallenged', uid]);
    const doublings = Math.min(MAX_DOUBLINGS, Math.floor(wrong / HARDER_AFTER));
    const highest = Math.max(this.difficulty, HIGHEST_DIFFICULTY);
    return {
      purpose: `sign-in ${createHash('sha256').update(uid).digest('base64url')}`,
      difficulty: Math.min(this.difficulty * 2 ** doublings, highest),
    };
  }
}
