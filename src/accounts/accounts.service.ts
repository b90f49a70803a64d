import { Injectable } from '@nestjs/common';
import { lengthOf } from '../api/input/text-input';
import { type SqlExecutor, type TransactionHooks } from '../database/database';
import { Attempts, type AttemptKey } from '../oauth/attempts';
import { CallersService } from '../oauth/callers.service';
import { hashSecret, makeSecret } from '../oauth/tokens';
import {
  AccountsRepository,
  type Account,
  type SignedIn,
  type UserBlock,
} from './accounts.repository';
import { OPERATOR, PASSWORD_LENGTH, PasswordHasher } from './passwords';

/** Lifetime of a browser session in seconds. */
export const SESSION_LIFETIME = 14 * 24 * 3600;

/** Faults of a new password; each is the key of its message. */
export type PasswordProblem = 'shortPassword' | 'longPassword' | 'samePassword';

/** A result, or the fault that prevents it. */
export type Result<T, F> = { readonly value: T } | { readonly fault: F };

/** A user's request to change the password. */
export interface PasswordRequest {
  /** The session that requests the change. */
  readonly session: string;
  readonly current: string;
  readonly fresh: string;
  /** Whether authorized apps keep their access (D50). */
  readonly keepApps: boolean;
  /** The key of the client's address in rate limits. */
  readonly address: string;
}

export function passwordProblem(password: string, uid: string): PasswordProblem | undefined {
  const length = lengthOf(password);
  if (length < PASSWORD_LENGTH.min || password.trim() === '') return 'shortPassword';
  if (length > PASSWORD_LENGTH.max) return 'longPassword';
  return password.toLowerCase() === uid.toLowerCase() ? 'samePassword' : undefined;
}

/** Passwords and browser sessions of users. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly attempts: Attempts,
    private readonly callers: CallersService,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * Changes the password of the signed-in user and ends all sessions. All grants of the user are
   * revoked unless `keepApps` is set (D50).
   *
   * @returns a new session, or the fault `ended` when the session of the request ended meanwhile
   * @throws ApiError 111 with 429 after too many attempts (D97), 999 with 503 when the derivation
   * queue is full
   */
  async changePassword(
    user: SignedIn,
    { session: before, current, fresh, keepApps, address }: PasswordRequest,
  ): Promise<Result<string, 'wrong' | 'ended' | PasswordProblem>> {
    if (!(await this.isPassword(user, current, address))) return { fault: 'wrong' };
    const fault = passwordProblem(fresh, user.uid);
    if (fault) return { fault };
    const session = makeSecret('session');
    const changed = await this.accounts.changePassword(
      user.id,
      await this.passwords.hash(fresh, { address, trusted: true }),
      {
        keepApps,
        before: hashSecret(before),
        after: { hash: hashSecret(session), lifetime: SESSION_LIFETIME },
      },
    );
    if (!changed) return { fault: 'ended' };
    if (!keepApps) this.callers.forget();
    return { value: session };
  }

  /**
   * Confirms the session of a signed-in user with the password, for dangerous steps.
   *
   * @returns whether the password is right
   * @throws ApiError as in `changePassword`
   */
  async confirmSession(
    user: SignedIn,
    { session, password, address }: { session: string; password: string; address: string },
  ): Promise<boolean> {
    if (!(await this.isPassword(user, password, address))) return false;
    await this.accounts.confirmSession(hashSecret(session), user.id);
    return true;
  }

  private async isPassword(user: SignedIn, password: string, address: string): Promise<boolean> {
    const guess: AttemptKey = ['password', `change ${user.id}`];
    const counted: AttemptKey[] = [guess, ['passwordChange', String(user.id)]];
    const isRight = await this.attempts.count(counted, async () => {
      const account = await this.accounts.findAccountByUid(user.uid);
      if (lengthOf(password) > PASSWORD_LENGTH.max) return false;
      // The browser of a signed-in user counts as trusted.
      return this.passwords.verify(password, account?.hash, { address, trusted: true });
    });
    if (isRight) await this.attempts.refund(guess);
    return isRight;
  }

  /**
   * Resets a user's password, for administrators. Ends all sessions and revokes all grants (D50).
   *
   * @throws Error for an invalid password
   */
  async setPassword(
    user: Pick<SignedIn, 'id' | 'uid'>,
    password: string,
    hooks: TransactionHooks,
  ): Promise<void> {
    const fault = passwordProblem(password, user.uid);
    if (fault) throw new Error(`invalid password: ${fault}`);
    const hash = await this.passwords.hash(password, OPERATOR);
    await this.accounts.setPassword(user.id, hash, hooks);
    this.callers.forget();
  }

  /**
   * Blocks or unblocks a user. Blocking takes effect at once, also for existing tokens (D13).
   * @param block undefined to unblock
   */
  async setBlocked(
    userId: number,
    block: UserBlock | undefined,
    hooks?: TransactionHooks,
  ): Promise<void> {
    await this.accounts.setBlocked(userId, block, hooks);
    this.callers.forget();
  }

  /**
   * Starts a session if the account still has the given password hash and is not blocked.
   *
   * @returns undefined when the password has changed, or the user was blocked, since the verification
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

  /** Whether the user's session is valid. Locks it until the end of the transaction. */
  holdSession(executor: SqlExecutor, session: string, userId: number): Promise<boolean> {
    return this.accounts.holdSession(executor, hashSecret(session), userId);
  }

  /** Ends a session of a user, and revokes tokens of the user. @param tokens their hashes */
  async endSession(session: string, userId: number, tokens: readonly Buffer[]): Promise<void> {
    const revoked = await this.accounts.endSession(hashSecret(session), userId, tokens);
    if (revoked) this.callers.forget();
  }

  /**
   * Signs a user out of every browser, and revokes tokens of the user.
   * @param tokens their hashes
   */
  async endSessions(userId: number, tokens: readonly Buffer[]): Promise<void> {
    const revoked = await this.accounts.endSessions(userId, tokens);
    if (revoked) this.callers.forget();
  }
}
