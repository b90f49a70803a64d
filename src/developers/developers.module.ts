import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { AccountsModule } from '../accounts/accounts.module';
import { OauthModule } from '../oauth/oauth.module';
import { DeveloperController } from './developer.controller';
import { DevelopersService } from './developers.service';

/** Pages for developers and their applications. */
@Module({
  imports: [ApiModule, AccountsModule, OauthModule],
  controllers: [DeveloperController],
  providers: [DevelopersService],
})
export class DevelopersModule {}
