import { Module } from '@nestjs/common';
import { FriendshipsService } from './friendships.service';
import { UserAccountsRepository } from './user-accounts.repository';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  providers: [UsersRepository, UserAccountsRepository, UsersService, FriendshipsService],
  exports: [UserAccountsRepository, UsersService, FriendshipsService],
})
export class UsersModule {}
