import { Injectable } from '@nestjs/common';
import { lengthOf } from '../api/input/text-input';
import { Attempts } from '../oauth/attempts';
import { AccountsRepository } from './accounts.repository';
import {
  AccountsService,
  passwordProblem,
  type PasswordProblem,
  type Result,
} from './accounts.service';
import { PASSWORD_LENGTH, PasswordHasher } from './passwords';
import { KeyedMutex } from './keyed-mutex';
import { SignInLimits, type ChallengedAttempt, type SignInOrigin } from './sign-in-limits';

/** What can be wrong with a form, by the name of the message. */
export type RegisterError = 'badUid' | 'taken' | PasswordProblem;
export type SignInError = 'wrong' | 'blocked';

/** What came of an attempt to sign in; the value is a fresh session. */
export type SignInResult =
  | { readonly value: string }
  | {
      readonly fault: SignInError;
      /** What the next attempt needs. */
      readonly next: ChallengedAttempt | undefined;
    }
  | ChallengedAttempt;

/** Sign-ins of one user from one address that are under way or wait, at most. */
const MAX_AT_ONCE = 16;

/** What may be a uid, also of users who did not register here. */
const UID = /^[A-Za-z0-9._-]{1,200}$/;

/** Whether somebody may register a uid, if it is free. */
export const isUid = (uid: string): boolean =>
  /^[A-Za-z0-9._-]{2,30}$/.test(uid) && !/^\d+$/.test(uid) && !/^\.+$/.test(uid);

/** Registering and signing in. */
@Injectable()
export class SignInService {
  private readonly queues = new KeyedMutex(MAX_AT_ONCE);

  constructor(
    private readonly repository: AccountsRepository,
    private readonly accounts: AccountsService,
    private readonly attempts: Attempts,
    private readonly limits: SignInLimits,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * Creates an account; the result is a fresh session.
   *
   * @throws ApiError 111 with 429 when one address creates too many, 999 with 503 when too many
   * passwords wait to be derived
   */
  async register(
    uid: string,
    password: string,
    address: string,
  ): Promise<Result<string, RegisterError>> {
    if (!isUid(uid)) return { fault: 'badUid' };
    const fault = passwordProblem(password, uid);
    if (fault) return { fault };
    await this.attempts.take(['register', address]);
    const hash = await this.passwords.hash(password, { address, trusted: false });
    const id = await this.repository.add(uid, hash);
    if (id === undefined) return { fault: 'taken' };
    const session = await this.accounts.startSession({ id, hash });
    // Nobody but an administrator can have changed it within that moment.
    if (session === undefined) throw new Error('the password of a new account was changed');
    return { value: session };
  }

  /**
   * Signs somebody in. Unknown and known users take as long.
   *
   * @throws ApiError 111 with 429 after too many attempts of one address, 999 with 503 when too many
   * passwords wait to be derived
   */
  signIn(origin: SignInOrigin, password: string): Promise<SignInResult> {
    // What cannot be a uid is nobody's: it need not be looked up, nor counted by itself.
    const named = { ...origin, uid: UID.test(origin.uid) ? origin.uid : '' };
    // One after the other: right ones at once must not use up what is there for wrong ones.
    return this.queues.run(`${named.uid} ${named.address}`, () => this.trySignIn(named, password));
  }

  private async trySignIn(origin: SignInOrigin, password: string): Promise<SignInResult> {
    const attempt = await this.limits.admit(origin);
    if ('challenge' in attempt) return attempt;
    const { uid, address } = origin;
    const short = lengthOf(password) <= PASSWORD_LENGTH.max;
    const account = short && uid !== '' ? await this.repository.byUid(uid) : undefined;
    const client = { address, trusted: attempt.trusted };
    const isRight = await this.passwords
      .verify(short ? password : '', account?.hash, client)
      .catch(async (error: unknown) => {
        await attempt.release();
        throw error;
      });
    if (!isRight || !account) return { fault: 'wrong', next: await this.limits.next(origin) };
    await attempt.succeed();
    // Only who knows the password learns that the account is blocked.
    if (account.blocked) return { fault: 'blocked', next: undefined };
    const session = await this.accounts.startSession(account);
    if (session !== undefined) return { value: session };
    return { fault: 'wrong', next: undefined };
  }
}
