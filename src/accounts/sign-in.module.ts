import { Module } from '@nestjs/common';
import { ApiModule } from '../api/api.module';
import { AccountsModule } from './accounts.module';
import { SignInController } from './sign-in.controller';

/** The pages to sign in on. */
@Module({ imports: [ApiModule, AccountsModule], controllers: [SignInController] })
export class SignInModule {}
