import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { ApiModule } from '../api/api.module';
import { OauthModule } from '../oauth/oauth.module';
import { ClientPackageController } from './client-package.controller';
import { CredentialsController } from './credentials.controller';
import { DocsController } from './docs.controller';

/** The documentation for developers. */
@Module({
  imports: [ApiModule, AccountsModule, OauthModule],
  controllers: [DocsController, CredentialsController, ClientPackageController],
})
export class DocsModule {}
