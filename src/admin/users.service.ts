import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service';
import { type Role } from '../api/access';
import { NotPossible, unknownThing } from '../api/errors';
import { type Page, type PageQuery } from '../api/page';
import { AuditService, type Actor } from '../audit/audit.service';
import { surroundedBy, type Runner } from '../database/database';
import { CallersService } from '../oauth/callers.service';
import { AdminUsersRepository, type UserFilter } from './users.repository';
import { type AdminUserRow } from './users.resources';

/** Users, for administrators. */
@Injectable()
export class AdminUsersService {
  constructor(
    private readonly users: AdminUsersRepository,
    private readonly accounts: AccountsService,
    private readonly callers: CallersService,
    private readonly audit: AuditService,
  ) {}

  list(filter: UserFilter, page: PageQuery): Promise<Page<AdminUserRow>> {
    return this.users.list(filter, page);
  }

  /** @throws NotPossible 1001 for an unknown one */
  async show(id: number): Promise<AdminUserRow> {
    const user = await this.users.byId(id);
    if (!user) throw unknownThing(`no such user: ${id}`);
    return user;
  }

  /**
   * Blocks a user, or lets them in again.
   *
   * @throws NotPossible 1001 for an unknown user, 999 for oneself and the last administrator
   */
  async setBlocked(id: number, blocked: boolean, actor: Actor): Promise<AdminUserRow> {
    await this.change(blocked ? 'block' : 'unblock', id, blocked, actor, () =>
      this.accounts.setBlocked(id, blocked),
    );
    return this.show(id);
  }

  /**
   * Makes somebody an administrator, or takes that away. It holds at once, whatever tokens they have.
   *
   * @throws NotPossible 1001 for an unknown user, 999 for oneself and the last administrator
   */
  async setRole(id: number, role: Role, actor: Actor): Promise<AdminUserRow> {
    await this.change('role', id, role !== 'administrator', actor, () =>
      this.users.setRole(id, role),
    );
    this.callers.forget();
    return this.show(id);
  }

  /** @param lessens whether an administrator who is changed is none afterwards */
  private async change(
    verb: string,
    id: number,
    lessens: boolean,
    actor: Actor,
    work: () => Promise<void>,
  ): Promise<void> {
    const read = (runner: Runner) => this.users.byId(id, runner);
    const check = async (runner: Runner): Promise<void> => {
      const administrators = await this.users.lockAdministrators(runner);
      if (!(await read(runner))) throw unknownThing(`no such user: ${id}`);
      if (!lessens) return;
      if (id === actor.id) throw new NotPossible('nobody can do this to themselves');
      if (administrators.length === 1 && administrators[0] === id) {
        throw new NotPossible('this is the last administrator');
      }
    };
    const around = { begin: check, end: () => Promise.resolve() };
    await this.audit.change(
      { actor, action: `user.${verb}`, kind: 'user', id: String(id), read },
      () => surroundedBy(around, work),
    );
  }
}
