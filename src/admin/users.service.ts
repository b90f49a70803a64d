import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service';
import { type Role } from '../api/access/access';
import { OperationError, notFound } from '../api/errors/errors';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { nestHooks, type SqlExecutor, type TransactionHooks } from '../database/database';
import { CallersService } from '../oauth/callers.service';
import { FriendshipsService } from '../users/friendships.service';
import {
  UserAccountsRepository,
  type UserAccountRow,
  type UserFilter,
} from '../users/user-accounts.repository';
import { type UserKey } from '../users/users.repository';
import { UsersService } from '../users/users.service';

/** Administration of users. */
@Injectable()
export class AdminUsersService {
  constructor(
    private readonly users: UserAccountsRepository,
    private readonly accounts: AccountsService,
    private readonly people: UsersService,
    private readonly friendships: FriendshipsService,
    private readonly callers: CallersService,
    private readonly audit: AuditService,
  ) {}

  list(filter: UserFilter, page: PageQuery): Promise<Page<UserAccountRow>> {
    return this.users.list(filter, page);
  }

  /** All matching users, ordered by id. */
  scan(filter: UserFilter): AsyncGenerator<UserAccountRow> {
    return this.users.scan(filter);
  }

  /** @throws OperationError 1001 when not found */
  async getUser(id: number): Promise<UserAccountRow> {
    const user = await this.users.findAccount(id);
    if (!user) throw notFound(`user not found: ${id}`);
    return user;
  }

  /** Creates a user. @throws Error when the uid is invalid or in use */
  create(uid: string, name: string, actor: Actor): Promise<UserKey> {
    const read = (executor: SqlExecutor) => this.users.findCreated(executor);
    const id = (made: object) => String((made as UserAccountRow).id);
    return this.audit.logChange({ actor, action: 'user.create', kind: 'user', id, read }, (hooks) =>
      this.people.create(uid, name, hooks),
    );
  }

  /** Sets a user's password and ends all sessions. @throws Error for an invalid password */
  setPassword(user: UserKey, password: string, actor: Actor): Promise<void> {
    const read = (executor: SqlExecutor) => this.users.findPasswordChange(user.id, executor);
    return this.audit.logChange(
      { actor, action: 'user.password', kind: 'user', id: String(user.id), read },
      (hooks) => this.accounts.setPassword(user, password, hooks),
    );
  }

  /**
   * Creates or deletes a friendship.
   * @throws ApiError 6008 when a user is not found, Error when both are the same
   */
  async setFriends(
    names: readonly [string, string],
    friends: boolean,
    actor: Actor,
  ): Promise<void> {
    const [one, other] = [await this.people.byName(names[0]), await this.people.byName(names[1])];
    const ids = [one.id, other.id].sort((a, b) => a - b);
    const read = (executor: SqlExecutor) =>
      this.friendships.findFriendship(executor, one.id, other.id);
    await this.audit.logChange(
      {
        actor,
        action: `user.${friends ? 'befriend' : 'part'}`,
        kind: 'friends',
        id: ids.join('/'),
        read,
      },
      (hooks) => this.friendships.set(names, friends, hooks),
    );
  }

  /**
   * Blocks or unblocks a user.
   * @throws OperationError 1001 when not found, 999 for the administrator's own account and the
   *   last administrator
   */
  async setBlocked(id: number, blocked: boolean, actor: Actor): Promise<UserAccountRow> {
    await this.change(blocked ? 'block' : 'unblock', id, blocked, actor, (hooks) =>
      this.accounts.setBlocked(id, blocked, hooks),
    );
    return this.getUser(id);
  }

  /**
   * Sets a user's role, which applies to existing tokens immediately.
   * @throws OperationError 1001 when not found, 999 for the administrator's own account and the
   *   last administrator
   */
  async setRole(id: number, role: Role, actor: Actor): Promise<UserAccountRow> {
    await this.change('role', id, role !== 'administrator', actor, (hooks) =>
      this.users.setRole(id, role, hooks),
    );
    this.callers.forget();
    return this.getUser(id);
  }

  /** @param lessens whether the change removes the rights of an administrator */
  private async change(
    verb: string,
    id: number,
    lessens: boolean,
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<void>,
  ): Promise<void> {
    const read = (executor: SqlExecutor) => this.users.findAccount(id, executor);
    const check = async (executor: SqlExecutor): Promise<void> => {
      const administrators = await this.users.lockAdministrators(executor);
      if (!(await read(executor))) throw notFound(`user not found: ${id}`);
      if (!lessens) return;
      if (id === actor.id)
        throw new OperationError('administrators cannot change their own account in this way');
      if (administrators.length === 1 && administrators[0] === id) {
        throw new OperationError('this is the last administrator');
      }
    };
    await this.audit.logChange(
      { actor, action: `user.${verb}`, kind: 'user', id: String(id), read },
      (hooks) => work(nestHooks(hooks, { begin: check })),
    );
  }
}
