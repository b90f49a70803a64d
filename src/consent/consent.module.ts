import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { AccountsModule } from '../accounts/accounts.module';
import { OauthModule } from '../oauth/oauth.module';
import { AccountController } from './account.controller';
import { ConsentController } from './consent.controller';

/** The consent page and the account page. */
@Module({
  imports: [ApiModule, AccountsModule, OauthModule],
  controllers: [ConsentController, AccountController],
})
export class ConsentModule {}
