import { Module } from '@nestjs/common';
import { OauthModule } from '../oauth/oauth.module';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { PasswordHasher } from './passwords';
import { VisitsService } from './visits.service';

/** People who sign in. */
@Module({
  imports: [OauthModule],
  providers: [AccountsRepository, AccountsService, PasswordHasher, VisitsService],
  exports: [AccountsRepository, AccountsService, PasswordHasher, VisitsService],
})
export class AccountsModule {}
