import { Module } from '@nestjs/common';
import { FriendshipsService } from './friendships.service';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  providers: [UsersRepository, UsersService, FriendshipsService],
  exports: [UsersService, FriendshipsService],
})
export class UsersModule {}
