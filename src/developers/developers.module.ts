import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { AccountsModule } from '../accounts/accounts.module';
import { OauthModule } from '../oauth/oauth.module';
import { AuditModule } from '../audit/audit.module';
import { ApplicationFormsController } from './application-forms.controller';
import { ApplicationController } from './application.controller';
import { DeveloperController } from './developer.controller';
import { DeveloperLog } from './developer-log';
import { DevelopersService } from './developers.service';
import { NewSecrets } from './new-secrets';
import { OwnApplications } from './own-applications';

/** Pages for developers and their applications. */
@Module({
  imports: [ApiModule, AccountsModule, AuditModule, OauthModule],
  controllers: [DeveloperController, ApplicationController, ApplicationFormsController],
  providers: [DeveloperLog, DevelopersService, NewSecrets, OwnApplications],
})
export class DevelopersModule {}
