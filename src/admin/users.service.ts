import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service';
import { type Role } from '../api/access/access';
import { administratorsOnly } from '../api/access/access.guard';
import { OperationError, notFound } from '../api/errors/error-codes';
import { type Page, type PageQuery } from '../api/resources/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { Settings } from '../config/settings';
import { Database, nestHooks, type SqlExecutor, type TransactionHooks } from '../database/database';
import { grants, type Authorized } from '../oauth/grants.repository';
import { type UserBlock } from '../accounts/accounts.repository';
import { CallersService } from '../oauth/callers.service';
import { FriendshipsService } from '../users/friendships.service';
import {
  UserAccountsRepository,
  type UserAccountRow,
  type UserFilter,
} from '../users/user-accounts.repository';
import { type UserKey } from '../users/users.repository';
import { UsersService } from '../users/users.service';
import { dayWriter } from '../web/days';

/** @throws OperationError 1001 when not found */
function orNotFound(id: number, user: UserAccountRow | undefined): UserAccountRow {
  if (!user) throw notFound(`user not found: ${id}`);
  return user;
}

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
    private readonly database: Database,
    private readonly settings: Settings,
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
    return orNotFound(id, await this.users.findAccount(id));
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
   * @param block undefined to unblock
   * @throws OperationError 1001 when not found, 999 for the administrator's own account, the last
   *   administrator, and a last day in the past
   */
  async setBlocked(
    id: number,
    block: UserBlock | undefined,
    actor: Actor,
  ): Promise<UserAccountRow> {
    if (block?.until && block.until < dayWriter(this.settings.TIME_ZONE)(new Date()))
      throw new OperationError('until must not be in the past');
    return this.change(block ? 'block' : 'unblock', id, block !== undefined, actor, (hooks) =>
      this.accounts.setBlocked(id, block, hooks),
    );
  }

  /** Unblocks users after the last day of their block (D165). @returns their number */
  async endBlocks(actor: Actor): Promise<number> {
    const ids = await this.users.listEndedBlocks();
    for (const id of ids) {
      // An administrator may have prolonged the block meanwhile.
      const check = async (executor: SqlExecutor): Promise<void> => {
        if (!(await this.users.lockEndedBlock(executor, id)))
          throw new OperationError(`the block of user ${id} has changed`);
      };
      const unblock = (hooks: TransactionHooks) =>
        this.accounts.setBlocked(id, undefined, nestHooks(hooks, { begin: check }));
      const ended = this.change('unblock', id, false, actor, unblock);
      await ended.catch((error: unknown) => {
        if (!(error instanceof OperationError)) throw error;
      });
    }
    return ids.length;
  }

  /** The applications that may access a user's account. */
  listGrants(userId: number): Promise<Authorized[]> {
    return grants.authorized(this.database, userId);
  }

  /**
   * Revokes the access of an application to a user's account.
   * @throws OperationError 1001 when it has none
   */
  async revokeGrants(userId: number, clientId: string, actor: Actor): Promise<void> {
    const read = async (executor: SqlExecutor) => {
      const apps = await grants.authorized(executor, userId);
      return apps.find((app) => app.client_id === clientId);
    };
    const change = { actor, action: 'user.revoke', kind: 'user', id: String(userId), read };
    await this.audit.logChange(change, (hooks) =>
      this.database.transaction(async (executor) => {
        if ((await grants.revokeBetween(executor, userId, clientId)) === 0)
          throw notFound(`the application has no access: ${clientId}`);
      }, hooks),
    );
    this.callers.forget();
  }

  /**
   * Sets a user's role, which applies to existing tokens immediately.
   * @throws OperationError 1001 when not found, 999 for the administrator's own account and the
   *   last administrator
   */
  async setRole(id: number, role: Role, actor: Actor): Promise<UserAccountRow> {
    const changed = await this.change('role', id, role !== 'administrator', actor, (hooks) =>
      this.users.setRole(id, role, hooks),
    );
    this.callers.forget();
    return changed;
  }

  /**
   * Makes the actor the first administrator.
   * @param useKey runs in the transaction of the change, and throws when the actor may not become one
   */
  async makeFirstAdministrator(
    actor: Actor & { readonly id: number },
    useKey: (executor: SqlExecutor) => Promise<void>,
  ): Promise<void> {
    await this.logged('role', actor.id, actor, (hooks) =>
      this.users.setRole(actor.id, 'administrator', nestHooks(hooks, { begin: useKey })),
    );
    this.callers.forget();
  }

  /** @param lessens whether the change removes the rights of an administrator */
  private async change(
    verb: string,
    id: number,
    lessens: boolean,
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<void>,
  ): Promise<UserAccountRow> {
    const check = async (executor: SqlExecutor): Promise<void> => {
      const administrators = await this.users.lockAdministrators(executor);
      // Another administrator may have removed the actor's role since the request was admitted.
      if (actor.id !== undefined && !administrators.includes(actor.id)) throw administratorsOnly();
      orNotFound(id, await this.users.findAccount(id, executor));
      if (!lessens) return;
      if (id === actor.id)
        throw new OperationError('administrators cannot change their own account in this way');
      if (administrators.length === 1 && administrators[0] === id) {
        throw new OperationError('this is the last administrator');
      }
    };
    return this.logged(verb, id, actor, (hooks) => work(nestHooks(hooks, { begin: check })));
  }

  private async logged(
    verb: string,
    id: number,
    actor: Actor,
    work: (hooks: TransactionHooks) => Promise<void>,
  ): Promise<UserAccountRow> {
    const read = (executor: SqlExecutor) => this.users.findAccount(id, executor);
    const what = { actor, action: `user.${verb}`, kind: 'user', id: String(id), read };
    return orNotFound(id, await this.audit.logChangeAndRead(what, work));
  }
}
