import { Module } from '@nestjs/common';
import {
  JobsCancelCommand,
  JobsCommand,
  JobsListCommand,
  JobsReportCommand,
  JobsShowCommand,
  JobsStartCommand,
} from './jobs.commands';
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
import {
  BackupCommand,
  BackupCreateCommand,
  BackupRestoreCommand,
  BackupVerifyCommand,
} from './backup.commands';
import {
  ChartsCommand,
  ChartsComputeCommand,
  ChartsListCommand,
  ChartsRemoveCommand,
  ChartsShowCommand,
  ChartsWriteCommand,
} from './charts.commands';
import { FriendAddCommand, FriendCommand, FriendRemoveCommand } from './friend.commands';
import { NoteCommand, NoteHistoryCommand } from './note.commands';
import {
  ModerationCommand,
  ModerationListCommand,
  ModerationRejectCommand,
  ModerationReleaseCommand,
  ModerationShowCommand,
} from './moderation.commands';
import { PicturesCommand, PicturesSweepCommand } from './pictures.commands';
import {
  AppLimitCommand,
  LimitCommand,
  LimitListCommand,
  LimitResetCommand,
  LimitSetCommand,
  LimitShowCommand,
} from './limit.commands';
import {
  MigrateCommand,
  MigrateDownCommand,
  MigrateStatusCommand,
  MigrateUpCommand,
  OpenApiCommand,
  SampleCommand,
  SampleLoadCommand,
  SampleTokenCommand,
  ServeCommand,
} from './service.commands';
import { TokenCommand, TokenIssueCommand, TokenRevokeCommand } from './token.commands';
import { AuditCommand, AuditListCommand } from './audit.commands';
import {
  RecordCommand,
  RecordListCommand,
  RecordPutCommand,
  RecordRemoveCommand,
  RecordShowCommand,
} from './record.commands';
import {
  ReportCommand,
  ReportListCommand,
  ReportResolveCommand,
  ReportShowCommand,
} from './report.commands';
import {
  ShowingCommand,
  ShowingListCommand,
  ShowingRemoveCommand,
  ShowingWriteCommand,
} from './showing.commands';
import { RecountCommand } from './recount.command';
import { SyntheticCommand } from './synthetic.command';
import { ExportCommand, ImportCommand } from './transfer.commands';
import {
  UserBlockCommand,
  UserCommand,
  UserCreateCommand,
  UserListCommand,
  UserPasswordCommand,
  UserRoleCommand,
  UserShowCommand,
  UserUnblockCommand,
} from './user.commands';
import {
  WordsAddCommand,
  WordsCommand,
  WordsImportCommand,
  WordsListCommand,
  WordsRemoveCommand,
} from './word.commands';

/** All commands. Each opens the database itself, so that `--help` needs no database. */
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
    JobsReportCommand,
    JobsStartCommand,
    JobsCancelCommand,
    RecountCommand,
    BackupCommand,
    BackupCreateCommand,
    BackupRestoreCommand,
    BackupVerifyCommand,
    ChartsCommand,
    ChartsListCommand,
    ChartsShowCommand,
    ChartsWriteCommand,
    ChartsComputeCommand,
    ChartsRemoveCommand,
    ShowingCommand,
    ShowingListCommand,
    ShowingWriteCommand,
    ShowingRemoveCommand,
    SampleCommand,
    SampleLoadCommand,
    SampleTokenCommand,
    UserCommand,
    UserCreateCommand,
    UserPasswordCommand,
    UserBlockCommand,
    UserUnblockCommand,
    UserRoleCommand,
    UserListCommand,
    UserShowCommand,
    AuditCommand,
    AuditListCommand,
    RecordCommand,
    RecordListCommand,
    RecordShowCommand,
    RecordPutCommand,
    RecordRemoveCommand,
    ReportCommand,
    ReportListCommand,
    ReportShowCommand,
    ReportResolveCommand,
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
    LimitShowCommand,
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
    WordsCommand,
    WordsListCommand,
    WordsAddCommand,
    WordsRemoveCommand,
    WordsImportCommand,
    ModerationCommand,
    ModerationListCommand,
    ModerationShowCommand,
    ModerationReleaseCommand,
    ModerationRejectCommand,
    OpenApiCommand,
  ],
})
export class CliModule {}
