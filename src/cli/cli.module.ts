import { Module } from '@nestjs/common';
import {
  AppCommand,
  AppCreateCommand,
  TokenCommand,
  TokenIssueCommand,
  TokenRevokeCommand,
  UserCommand,
  UserCreateCommand,
} from './account.commands';
import {
  AppLimitCommand,
  LimitCommand,
  LimitListCommand,
  LimitResetCommand,
  LimitSetCommand,
} from './limit.commands';
import {
  MigrateCommand,
  MigrateDownCommand,
  MigrateStatusCommand,
  MigrateUpCommand,
  OpenApiCommand,
  SampleCommand,
  SampleLoadCommand,
  ServeCommand,
} from './service.commands';
import { ExportCommand, ImportCommand, SyntheticCommand } from './transfer.commands';

/** Every command. They open the database themselves, so that asking for help starts nothing. */
@Module({
  providers: [
    ServeCommand,
    MigrateCommand,
    MigrateUpCommand,
    MigrateDownCommand,
    MigrateStatusCommand,
    ImportCommand,
    ExportCommand,
    SyntheticCommand,
    SampleCommand,
    SampleLoadCommand,
    UserCommand,
    UserCreateCommand,
    AppCommand,
    AppCreateCommand,
    AppLimitCommand,
    LimitCommand,
    LimitListCommand,
    LimitSetCommand,
    LimitResetCommand,
    TokenCommand,
    TokenIssueCommand,
    TokenRevokeCommand,
    OpenApiCommand,
  ],
})
export class CliModule {}
