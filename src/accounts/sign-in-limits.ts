import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type CaptchaSolution } from '../api/writes/captcha';
import { ApiError } from '../api/errors/errors';
import { Settings } from '../config/settings';
import {
  CaptchaService,
  type CaptchaChallenge,
  type ChallengePurpose,
} from '../moderation/captcha.service';
import { Attempts, type Guess } from '../oauth/attempts';

/** Wrong passwords of one user, with solved challenges, after which challenges get twice as hard. */
const HARDER_AFTER = 100;
/** How often they get twice as hard. */
const MAX_DOUBLINGS = 5;
/** Numbers to try at most, unless the setting asks for more. */
const HIGHEST_DIFFICULTY = 10_000_000;

/** Who tries to sign in, from where. */
export interface SignInOrigin {
  /** Any text that may be a uid. */
  readonly uid: string;
  /** What the address counts as in limits. */
  readonly address: string;
  /** What the browser's own counter is known by, where it has signed the user in before. */
  readonly device: string | undefined;
  /** Of the challenge that the page asked for. */
  readonly solution: CaptchaSolution | undefined;
}

/** An attempt whose password may be looked at. */
export interface AdmittedAttempt {
  readonly trusted: boolean;
  /** Tells that the password was right: the attempt was no guess. */
  succeed(): Promise<void>;
  /** Tells that the password was not looked at. */
  release(): Promise<void>;
}

/** An attempt that has to come again with a solved challenge, or after some seconds. */
export interface ChallengedAttempt {
  readonly challenge: CaptchaChallenge;
  /** Seconds after which it may come without. */
  readonly seconds: number;
}

/** Guesses of a browser that has not signed the user in before. */
const sharedBy = ({ uid, address }: Pick<SignInOrigin, 'uid' | 'address'>): Guess[] => [
  ['password', `${uid} ${address}`],
  ['user', uid],
  ['address', address],
];

/**
 * How often passwords are tried (RFC 6819, section 5.1.4.2.3), such that nobody can lock a user out:
 *
 * - A browser that has signed the user in before has its wrong passwords counted by itself.
 * - Others share counters of the user and of the address. Where one is full, each attempt needs a
 *   proof of work, which gets harder the more wrong passwords the user sees.
 * - The attempts of one address with proofs of work end, too.
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
   * Counts an attempt before its password is looked at, as a wrong one.
   *
   * @throws ApiError 111 with 429 when the address has tried too often even with challenges
   */
  async admit(origin: SignInOrigin): Promise<AdmittedAttempt | ChallengedAttempt> {
    const { uid, address, device } = origin;
    const successes: Guess[] = [
      ['userSignIn', uid],
      ['addressSignIn', address],
    ];
    const admitted = (trusted: boolean, wrong: readonly Guess[]): AdmittedAttempt => ({
      trusted,
      succeed: async () => {
        await this.attempts.giveBack(...wrong);
        await this.attempts.failed(...successes);
      },
      release: () => this.attempts.giveBack(...wrong),
    });
    if (device !== undefined) {
      const own: Guess = ['device', device];
      const wait = await this.attempts.wait(['userSignIn', uid]);
      if (wait === undefined && (await this.attempts.tryTake(own)) === undefined) {
        return admitted(true, [own]);
      }
    }
    const shared = sharedBy(origin);
    const seconds =
      (await this.attempts.wait(...successes)) ?? (await this.attempts.tryTake(...shared));
    if (seconds === undefined) return admitted(false, shared);
    if (!(await this.isSolved(origin))) return { challenge: await this.challenge(uid), seconds };
    await this.attempts.take(['challenged', address]);
    const harder: Guess = ['userChallenged', uid];
    await this.attempts.failed(harder);
    return admitted(false, [harder]);
  }

  /**
   * The challenge for the next attempt, when that needs one.
   *
   * @returns undefined when it needs none
   */
  async next({ uid, address, device }: SignInOrigin): Promise<ChallengedAttempt | undefined> {
    if (device !== undefined && (await this.attempts.wait(['device', device])) === undefined) {
      return undefined;
    }
    const seconds = await this.attempts.wait(...sharedBy({ uid, address }));
    return seconds === undefined ? undefined : { challenge: await this.challenge(uid), seconds };
  }

  private async challenge(uid: string): Promise<CaptchaChallenge> {
    return this.captchas.challenge(undefined, await this.purposeOf(uid));
  }

  private async isSolved({ uid, solution }: SignInOrigin): Promise<boolean> {
    if (!solution) return false;
    const { purpose, difficulty } = await this.purposeOf(uid);
    try {
      // One that was made just before challenges got harder is good, too.
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
