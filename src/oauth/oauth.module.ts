import { Global, Module } from '@nestjs/common';
import { CallerDirectory } from '../api/access/access';
import { CountersModule } from '../limits/counters.module';
import { ApplicationDetailsRepository } from './application-details.repository';
import { ApplicationsRepository } from './applications.repository';
import { ApplicationsService } from './applications.service';
import { ApprovalsService } from './approvals.service';
import { Attempts } from './attempts';
import { BearerStrategy } from './bearer.strategy';
import { CallersService } from './callers.service';
import { ClientsRepository } from './clients.repository';
import { OauthRepository } from './oauth.repository';
import { Sweeper } from './sweeper';
import { TokenController } from './token.controller';
import { TokenService } from './token.service';

/** Applications, grants and tokens. Global, because the access guard runs for every controller. */
@Global()
@Module({
  imports: [CountersModule],
  controllers: [TokenController],
  providers: [
    OauthRepository,
    ClientsRepository,
    ApplicationsRepository,
    ApplicationDetailsRepository,
    CallersService,
    { provide: CallerDirectory, useExisting: CallersService },
    ApplicationsService,
    ApprovalsService,
    Attempts,
    TokenService,
    BearerStrategy,
    Sweeper,
  ],
  exports: [
    ApplicationDetailsRepository,
    CallerDirectory,
    CallersService,
    ClientsRepository,
    ApplicationsService,
    ApprovalsService,
    Attempts,
  ],
})
export class OauthModule {}
