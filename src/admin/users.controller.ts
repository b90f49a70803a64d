import { Controller, Get, Post, Put } from '@nestjs/common';
import { BodyInput, QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { ExistingIdParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type UserAccountRow } from '../users/user-accounts.repository';
import { CurrentAdministrator, Admin } from './admin-route';
import { RoleInput, UserBlockInput, UsersQuery } from './users.input';
import { AdminUser } from './users.resources';
import { AdminUsersService } from './users.service';

/** Administration of users. */
@Controller('admin/v1/users')
export class AdminUsersController {
  constructor(private readonly users: AdminUsersService) {}

  @Get()
  @Admin('List users by id')
  @RespondsList('users', AdminUser)
  list(
    @QueryInput(UsersQuery) query: UsersQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<UserAccountRow>> {
    return this.users.list(query, page);
  }

  @Get(':id')
  @Admin('A user')
  @Responds(AdminUser)
  getUser(@ExistingIdParam('id') id: number): Promise<UserAccountRow> {
    return this.users.getUser(id);
  }

  @Post(':id/block')
  @Admin('Block a user: their tokens stop working and they cannot sign in')
  @Responds(AdminUser)
  block(
    @ExistingIdParam('id') id: number,
    @BodyInput(UserBlockInput) { reason = '', until }: UserBlockInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<UserAccountRow> {
    return this.users.setBlocked(id, { reason, until: until ?? null }, actor);
  }

  @Post(':id/unblock')
  @Admin('Unblock a user')
  @Responds(AdminUser)
  unblock(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<UserAccountRow> {
    return this.users.setBlocked(id, undefined, actor);
  }

  @Put(':id/role')
  @Admin('Set the role of a user: administrator or member')
  @Responds(AdminUser, { status: 202 })
  setRole(
    @ExistingIdParam('id') id: number,
    @BodyInput(RoleInput) { role }: RoleInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<UserAccountRow> {
    return this.users.setRole(id, role, actor);
  }
}
