import { Injectable } from '@nestjs/common';
import { lengthOf } from '../api/text-input';
import { Attempts, type Guess } from '../oauth/attempts';
import { CallersService } from '../oauth/callers.service';
import { hashSecret, makeSecret } from '../oauth/tokens';
import { AccountsRepository, type SignedIn } from './accounts.repository';
import { hashPassword, isPassword, PASSWORD_LENGTH } from './passwords';
import { Queues } from './queues';

/** Seconds that a browser stays signed in. */
export const SESSION_LIFETIME = 14 * 24 * 3600;

/** What can be wrong with a form, by the name of the message. */
export type RegisterFault = 'badUid' | 'taken' | 'shortPassword' | 'longPassword' | 'samePassword';
export type SignInFault = 'wrong' | 'blocked';

/** A result, or what stands in the way of it. */
export type Result<T, F> = { readonly value: T } | { readonly fault: F };

const isUid = (uid: string): boolean =>
  /^[A-Za-z0-9._-]{2,30}$/.test(uid) && !/^\d+$/.test(uid) && !/^\.+$/.test(uid);

function passwordFault(password: string, uid: string): RegisterFault | undefined {
  const length = lengthOf(password);
  if (length < PASSWORD_LENGTH.min || password.trim() === '') return 'shortPassword';
  if (length > PASSWORD_LENGTH.max) return 'longPassword';
  return password.toLowerCase() === uid.toLowerCase() ? 'samePassword' : undefined;
}

/** People who sign in: accounts, passwords, sessions. */
@Injectable()
export class AccountsService {
  private readonly queues = new Queues();

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly attempts: Attempts,
    private readonly callers: CallersService,
  ) {}

  /**
   * Makes an account; the result is a fresh session.
   *
   * @throws ApiError 111 with 429 when one address makes too many
   */
  async register(
    uid: string,
    password: string,
    address: string,
  ): Promise<Result<string, RegisterFault>> {
    if (!isUid(uid)) return { fault: 'badUid' };
    const fault = passwordFault(password, uid);
    if (fault) return { fault };
    await this.attempts.take(['register', address]);
    const userId = await this.accounts.add(uid, await hashPassword(password));
    if (userId === undefined) return { fault: 'taken' };
    return { value: await this.startSession(userId) };
  }

  /**
   * Signs somebody in; the result is a fresh session. Unknown and known people take as long, and
   * wrong attempts are few (RFC 6819, section 5.1.4.2.3).
   *
   * @throws ApiError 111 with 429 after too many wrong passwords
   */
  signIn(uid: string, password: string, address: string): Promise<Result<string, SignInFault>> {
    // One after the other: right ones at once must not use up what is there for wrong ones.
    return this.queues.run(`${uid} ${address}`, () => this.trySignIn(uid, password, address));
  }

  private async trySignIn(
    uid: string,
    password: string,
    address: string,
  ): Promise<Result<string, SignInFault>> {
    const guesses: Guess[] = [
      ['password', `${uid} ${address}`],
      ['user', uid],
      ['address', address],
    ];
    await this.attempts.take(...guesses);
    const short = lengthOf(password) <= PASSWORD_LENGTH.max;
    // What cannot be a uid need not be looked up, nor can the database hold all of it.
    const account =
      short && /^[A-Za-z0-9._-]{1,200}$/.test(uid) ? await this.accounts.byUid(uid) : undefined;
    if (!(await isPassword(short ? password : '', account?.hash)) || !account) {
      return { fault: 'wrong' };
    }
    await this.attempts.giveBack(...guesses);
    // Only who knows the password learns that the account is blocked.
    if (account.blocked) return { fault: 'blocked' };
    return { value: await this.startSession(account.id) };
  }

  /** @throws ApiError 111 with 429 after too many wrong passwords */
  async changePassword(
    who: SignedIn,
    session: string,
    current: string,
    fresh: string,
  ): Promise<'wrong' | RegisterFault | undefined> {
    const guess: Guess = ['password', `change ${who.id}`];
    await this.attempts.take(guess);
    const account = await this.accounts.byUid(who.uid);
    if (lengthOf(current) > PASSWORD_LENGTH.max || !(await isPassword(current, account?.hash))) {
      return 'wrong';
    }
    await this.attempts.giveBack(guess);
    const fault = passwordFault(fresh, who.uid);
    if (fault) return fault;
    await this.accounts.setPassword(who.id, await hashPassword(fresh), hashSecret(session));
    return undefined;
  }

  /**
   * Gives a user a password, for administrators: everybody is signed out.
   *
   * @throws Error for a password that cannot be one
   */
  async setPassword(who: Pick<SignedIn, 'id' | 'uid'>, password: string): Promise<void> {
    const fault = passwordFault(password, who.uid);
    if (fault) throw new Error(`this cannot be the password: ${fault}`);
    await this.accounts.setPassword(who.id, await hashPassword(password));
  }

  /** Blocks a user, or lets them in again; tokens that exist stop working at once (D13). */
  async setBlocked(userId: number, blocked: boolean): Promise<void> {
    await this.accounts.setBlocked(userId, blocked);
    this.callers.forget();
  }

  private async startSession(userId: number): Promise<string> {
    const session = makeSecret('session');
    await this.accounts.addSession(hashSecret(session), userId, SESSION_LIFETIME);
    return session;
  }

  session(session: string): Promise<SignedIn | undefined> {
    return this.accounts.session(hashSecret(session));
  }

  endSession(session: string): Promise<void> {
    return this.accounts.endSession(hashSecret(session));
  }
}
