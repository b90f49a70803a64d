import { AppCommand } from './app.commands';
import { AuditCommand } from './audit.commands';
import { BackupCommand } from './backup.commands';
import { ChartsCommand } from './charts.commands';
import { FriendCommand } from './friend.commands';
import { JobsCommand } from './jobs.commands';
import { LimitCommand } from './limit.commands';
import { ModerationCommand } from './moderation.commands';
import { NoteCommand } from './note.commands';
import { PicturesCommand } from './pictures.commands';
import { RecordCommand } from './record.commands';
import { RecountCommand } from './recount.command';
import { ReportCommand } from './report.commands';
import { MigrateCommand, OpenApiCommand, SampleCommand, ServeCommand } from './service.commands';
import { ShowingCommand } from './showing.commands';
import { SyntheticCommand } from './synthetic.command';
import { TokenCommand } from './token.commands';
import { ExportCommand, ImportCommand } from './transfer.commands';
import { UserCommand } from './user.commands';
import { WordsCommand } from './word.commands';
import { type CommandClass } from './support/command';

/**
 * All commands, in the order of the help. Each declares its subcommands, and opens the database
 * itself, so that `--help` needs no database.
 */
export const COMMANDS: readonly CommandClass[] = [
  ServeCommand,
  MigrateCommand,
  ImportCommand,
  ExportCommand,
  SyntheticCommand,
  JobsCommand,
  RecountCommand,
  BackupCommand,
  ChartsCommand,
  ShowingCommand,
  SampleCommand,
  UserCommand,
  AuditCommand,
  RecordCommand,
  ReportCommand,
  AppCommand,
  LimitCommand,
  TokenCommand,
  PicturesCommand,
  FriendCommand,
  NoteCommand,
  WordsCommand,
  ModerationCommand,
  OpenApiCommand,
];
