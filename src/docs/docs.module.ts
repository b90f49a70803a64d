import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { ApiModule } from '../api/api.module';
import { OauthModule } from '../oauth/oauth.module';
import { CredentialsController } from './credentials.controller';
import { DocsController } from './docs.controller';

/** The documentation for developers. */
@Module({
  imports: [ApiModule, AccountsModule, OauthModule],
  controllers: [DocsController, CredentialsController],
})
export class DocsModule {}
