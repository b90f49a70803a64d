import { Module } from '@nestjs/common';
import { JobsCancelCommand, JobsCommand, JobsListCommand, JobsShowCommand } from './jobs.commands';
import {
  AppApproveCommand,
  AppBlockCommand,
  AppCommand,
  AppCreateCommand,
  AppDeclineCommand,
  AppListCommand,
  AppShowCommand,
  AppSuspendCommand,
  AppUnblockCommand,
} from './app.commands';
import { ChartsCommand, ChartsComputeCommand } from './charts.commands';
import { FriendAddCommand, FriendCommand, FriendRemoveCommand } from './friend.commands';
import { NoteCommand, NoteHistoryCommand } from './note.commands';
import { PicturesCommand, PicturesSweepCommand } from './pictures.commands';
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
import { TokenCommand, TokenIssueCommand, TokenRevokeCommand } from './token.commands';
import { RecountCommand } from './recount.command';
import { SyntheticCommand } from './synthetic.command';
import { ExportCommand, ImportCommand } from './transfer.commands';
import {
  UserBlockCommand,
  UserCommand,
  UserCreateCommand,
  UserPasswordCommand,
  UserUnblockCommand,
} from './user.commands';

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
    JobsCommand,
    JobsListCommand,
    JobsShowCommand,
    JobsCancelCommand,
    RecountCommand,
    ChartsCommand,
    ChartsComputeCommand,
    SampleCommand,
    SampleLoadCommand,
    UserCommand,
    UserCreateCommand,
    UserPasswordCommand,
    UserBlockCommand,
    UserUnblockCommand,
    AppCommand,
    AppCreateCommand,
    AppListCommand,
    AppShowCommand,
    AppApproveCommand,
    AppDeclineCommand,
    AppSuspendCommand,
    AppBlockCommand,
    AppUnblockCommand,
    AppLimitCommand,
    LimitCommand,
    LimitListCommand,
    LimitSetCommand,
    LimitResetCommand,
    TokenCommand,
    TokenIssueCommand,
    TokenRevokeCommand,
    PicturesCommand,
    PicturesSweepCommand,
    FriendCommand,
    FriendAddCommand,
    FriendRemoveCommand,
    NoteCommand,
    NoteHistoryCommand,
    OpenApiCommand,
  ],
})
export class CliModule {}
