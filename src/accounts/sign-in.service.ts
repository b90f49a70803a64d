import { Injectable } from '@nestjs/common';
import { lengthOf } from '../api/input/text-input';
import { Attempts } from '../oauth/attempts';
import { isNumericUid, isUidText } from '../users/uid';
import { AccountsRepository, type Account, type UserBlock } from './accounts.repository';
import {
  AccountsService,
  passwordProblem,
  type PasswordProblem,
  type Result,
} from './accounts.service';
import { PASSWORD_LENGTH, PasswordHasher } from './passwords';
import { KeyedMutex } from './keyed-mutex';
import { SignInLimits, type ChallengedAttempt, type SignInOrigin } from './sign-in-limits';

/** Faults of a form; each is the key of its message. */
export type RegisterError = 'badUid' | 'taken' | PasswordProblem;
export type SignInError = 'wrong' | 'blocked';

/** The result of a sign-in attempt; the value is a new session. */
export type SignInResult =
  | { readonly value: string }
  | {
      readonly fault: SignInError;
      /** The challenge of the next attempt, if it needs one. */
      readonly next: ChallengedAttempt | undefined;
      /** Of a blocked account. */
      readonly block?: UserBlock;
    }
  | ChallengedAttempt;

/** Maximum number of running and waiting sign-ins of one user from one address. */
const MAX_AT_ONCE = 16;

/** Format of a uid, also of imported users. */
const UID = /^[A-Za-z0-9._-]{1,200}$/;

/** Whether a uid has the format that registration requires. */
export const isUid = (uid: string): boolean =>
  uid.length >= 2 && uid.length <= 30 && isUidText(uid) && !isNumericUid(uid);

/** Registration and sign-in. */
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
   * Creates an account; the result is a new session.
   *
   * @throws ApiError 111 with 429 after too many registrations from one address, 999 with 503 when
   * the derivation queue is full
   */
  async register(
    uid: string,
    password: string,
    address: string,
  ): Promise<Result<string, RegisterError>> {
    if (!isUid(uid)) return { fault: 'badUid' };
    const fault = passwordProblem(password, uid);
    if (fault) return { fault };
    const account = await this.attempts.count([['register', address]], async () => {
      const hash = await this.passwords.hash(password, { address, trusted: false });
      const id = await this.repository.insertAccount(uid, hash);
      return id === undefined ? undefined : { id, hash };
    });
    if (!account) return { fault: 'taken' };
    const session = await this.accounts.startSession(account);
    // Only an administrator could have changed the password meanwhile.
    if (session === undefined) throw new Error('the password of a new account was changed');
    return { value: session };
  }

  /**
   * Signs a user in. The time is the same whether or not the user exists.
   *
   * @throws ApiError 111 with 429 after too many attempts of one address, 999 with 503 when the
   * derivation queue is full
   */
  signIn(origin: SignInOrigin, password: string): Promise<SignInResult> {
    // Invalid uids share one counter and are not looked up.
    const named = { ...origin, uid: UID.test(origin.uid) ? origin.uid : '' };
    // Serialized, because each attempt counts as wrong until its check: concurrent attempts with
    // the right password would reach the limit.
    return this.queues.run(`${named.uid} ${named.address}`, () => this.trySignIn(named, password));
  }

  private async trySignIn(origin: SignInOrigin, password: string): Promise<SignInResult> {
    const attempt = await this.limits.admit(origin);
    if ('challenge' in attempt) return attempt;
    const { account, isRight } = await this.check(origin, password, attempt.trusted).catch(
      async (error: unknown) => {
        await attempt.release();
        throw error;
      },
    );
    if (!isRight || !account) return { fault: 'wrong', next: await this.limits.next(origin) };
    await attempt.succeed();
    // Checked after the password, so that only its owner learns that the account is blocked.
    if (account.blocked) {
      const block = { reason: account.blocked_reason, until: account.blocked_until };
      return { fault: 'blocked', next: undefined, block };
    }
    const session = await this.accounts.startSession(account);
    if (session !== undefined) return { value: session };
    return { fault: 'wrong', next: undefined };
  }

  private async check(
    { uid, address }: SignInOrigin,
    password: string,
    trusted: boolean,
  ): Promise<{ readonly account: Account | undefined; readonly isRight: boolean }> {
    const short = lengthOf(password) <= PASSWORD_LENGTH.max;
    const account = short && uid !== '' ? await this.repository.findAccountByUid(uid) : undefined;
    const client = { address, trusted };
    const isRight = await this.passwords.verify(short ? password : '', account?.hash, client);
    return { account, isRight };
  }
}
