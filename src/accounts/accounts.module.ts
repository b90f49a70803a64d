import { Module } from '@nestjs/common';
import { OauthModule } from '../oauth/oauth.module';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { PasswordHasher } from './passwords';
import { BrowserSessionService } from './browser-sessions.service';
import { CsrfTokens } from './csrf-tokens';

/** Accounts of users who sign in. */
@Module({
  imports: [OauthModule],
  providers: [
    AccountsRepository,
    AccountsService,
    PasswordHasher,
    BrowserSessionService,
    CsrfTokens,
  ],
  exports: [AccountsRepository, AccountsService, PasswordHasher, BrowserSessionService],
})
export class AccountsModule {}
