import { Injectable } from '@nestjs/common';
import { lengthOf } from '../api/input/text-input';
import { type SqlExecutor } from '../database/database';
import { Attempts, type Guess } from '../oauth/attempts';
import { CallersService } from '../oauth/callers.service';
import { hashSecret, makeSecret } from '../oauth/tokens';
import { AccountsRepository, type Account, type SignedIn } from './accounts.repository';
import { OPERATOR, PASSWORD_LENGTH, PasswordHasher } from './passwords';

/** Seconds that a browser stays signed in. */
export const SESSION_LIFETIME = 14 * 24 * 3600;

/** What can be wrong with a password, by the name of the message. */
export type PasswordProblem = 'shortPassword' | 'longPassword' | 'samePassword';

/** A result, or what stands in the way of it. */
export type Result<T, F> = { readonly value: T } | { readonly fault: F };

/** What a user asks for who changes the password. */
export interface PasswordRequest {
  readonly current: string;
  readonly fresh: string;
  /** Authorized apps keep their access (D50). */
  readonly keepApps: boolean;
  /** What the user's address counts as in limits. */
  readonly address: string;
}

export function passwordProblem(password: string, uid: string): PasswordProblem | undefined {
  const length = lengthOf(password);
  if (length < PASSWORD_LENGTH.min || password.trim() === '') return 'shortPassword';
  if (length > PASSWORD_LENGTH.max) return 'longPassword';
  return password.toLowerCase() === uid.toLowerCase() ? 'samePassword' : undefined;
}

/** Accounts of people who sign in: passwords, sessions. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly attempts: Attempts,
    private readonly callers: CallersService,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * Changes the password of who is signed in, ends all sessions, and revokes all grants of the user
   * unless apps are kept (D50).
   *
   * @returns a fresh session
   * @throws ApiError 111 with 429 after too many wrong passwords, 999 with 503 when too many
   * passwords wait to be derived
   */
  async changePassword(
    who: SignedIn,
    { current, fresh, keepApps, address }: PasswordRequest,
  ): Promise<Result<string, 'wrong' | PasswordProblem>> {
    const guess: Guess = ['password', `change ${who.id}`];
    // Who is signed in has a browser that signed in before.
    const client = { address, trusted: true };
    await this.attempts.take(guess);
    const account = await this.accounts.byUid(who.uid);
    const isRight =
      lengthOf(current) <= PASSWORD_LENGTH.max &&
      (await this.passwords.verify(current, account?.hash, client));
    if (!isRight) return { fault: 'wrong' };
    await this.attempts.giveBack(guess);
    const fault = passwordProblem(fresh, who.uid);
    if (fault) return { fault };
    const session = makeSecret('session');
    await this.accounts.setPassword(who.id, await this.passwords.hash(fresh, client), {
      keepApps,
      session: { hash: hashSecret(session), lifetime: SESSION_LIFETIME },
    });
    if (!keepApps) this.callers.forget();
    return { value: session };
  }

  /**
   * Gives a user a password, for administrators: the user is signed out everywhere, and all grants
   * are revoked (D50).
   *
   * @throws Error for a password that cannot be one
   */
  async setPassword(who: Pick<SignedIn, 'id' | 'uid'>, password: string): Promise<void> {
    const fault = passwordProblem(password, who.uid);
    if (fault) throw new Error(`this cannot be the password: ${fault}`);
    await this.accounts.setPassword(who.id, await this.passwords.hash(password, OPERATOR));
    this.callers.forget();
  }

  /** Blocks a user, or lets them in again; tokens that exist stop working at once (D13). */
  async setBlocked(userId: number, blocked: boolean): Promise<void> {
    await this.accounts.setBlocked(userId, blocked);
    this.callers.forget();
  }

  /**
   * Starts a session for the password that an account had when it was verified.
   *
   * @returns undefined when the password was changed meanwhile
   */
  async startSession({ id, hash }: Pick<Account, 'id' | 'hash'>): Promise<string | undefined> {
    const session = makeSecret('session');
    const started = await this.accounts.addSession(
      { hash: hashSecret(session), lifetime: SESSION_LIFETIME },
      id,
      hash ?? '',
    );
    return started ? session : undefined;
  }

  session(session: string): Promise<SignedIn | undefined> {
    return this.accounts.session(hashSecret(session));
  }

  /** Whether a session of the user has not ended; it does not end before the transaction does. */
  holdSession(runner: SqlExecutor, session: string, userId: number): Promise<boolean> {
    return this.accounts.holdSession(runner, hashSecret(session), userId);
  }

  endSession(session: string): Promise<void> {
    return this.accounts.endSession(hashSecret(session));
  }

  /** Signs a user out of every browser. */
  endSessions(userId: number): Promise<void> {
    return this.accounts.endSessions(userId);
  }
}
