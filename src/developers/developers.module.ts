import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { AccountsModule } from '../accounts/accounts.module';
import { OauthModule } from '../oauth/oauth.module';
import { AuditModule } from '../audit/audit.module';
import { ApplicationFormsController } from './application-forms.controller';
import { ApplicationLogoController } from './application-logo.controller';
import { ApplicationController } from './application.controller';
import { DeveloperController } from './developer.controller';
import { DeveloperLog } from './developer-log';
import { DevelopersService } from './developers.service';
import { NewSecrets } from './new-secrets';
import { OwnApplications } from './own-applications';
import { PageFilter } from '../web/page.filter';

/** Pages for developers and their applications. */
@Module({
  imports: [ApiModule, AccountsModule, AuditModule, OauthModule],
  controllers: [
    DeveloperController,
    ApplicationController,
    ApplicationFormsController,
    ApplicationLogoController,
  ],
  providers: [DeveloperLog, DevelopersService, NewSecrets, OwnApplications, PageFilter],
})
export class DevelopersModule {}
