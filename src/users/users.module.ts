import { Module } from '@nestjs/common';
import { FirstAdministratorRepository } from './first-administrator.repository';
import { FriendshipsService } from './friendships.service';
import { UserAccountsRepository } from './user-accounts.repository';
import { UserPagesRepository } from './user-pages.repository';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  providers: [
    UsersRepository,
    UserAccountsRepository,
    UserPagesRepository,
    UsersService,
    FriendshipsService,
    FirstAdministratorRepository,
  ],
  exports: [
    FirstAdministratorRepository,
    UserAccountsRepository,
    UserPagesRepository,
    UsersService,
    FriendshipsService,
  ],
})
export class UsersModule {}
