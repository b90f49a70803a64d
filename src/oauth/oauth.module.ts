import { Global, Module } from '@nestjs/common';
import { CallerDirectory } from '../api/access';
import { ApplicationsService } from './applications.service';
import { BearerStrategy } from './bearer.strategy';
import { CallersService } from './callers.service';
import { OauthRepository } from './oauth.repository';

/** Applications and tokens. Global, as the access guard stands before every controller. */
@Global()
@Module({
  providers: [
    OauthRepository,
    CallersService,
    { provide: CallerDirectory, useExisting: CallersService },
    ApplicationsService,
    BearerStrategy,
  ],
  exports: [CallerDirectory, ApplicationsService],
})
export class OauthModule {}
