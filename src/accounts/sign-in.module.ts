import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { ModerationModule } from '../moderation/moderation.module';
import { AccountsModule } from './accounts.module';
import { DeviceCookies } from './device-cookies';
import { SignInController } from './sign-in.controller';
import { SignInLimits } from './sign-in-limits';
import { SignInService } from './sign-in.service';

/** Sign-in and registration pages. */
@Module({
  imports: [ApiModule, AccountsModule, ModerationModule],
  controllers: [SignInController],
  providers: [DeviceCookies, SignInLimits, SignInService],
})
export class SignInModule {}
