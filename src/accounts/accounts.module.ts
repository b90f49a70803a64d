import { Module } from '@nestjs/common';
import { OauthModule } from '../oauth/oauth.module';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { VisitsService } from './visits.service';

/** People who sign in. */
@Module({
  imports: [OauthModule],
  providers: [AccountsRepository, AccountsService, VisitsService],
  exports: [AccountsService, VisitsService],
})
export class AccountsModule {}
