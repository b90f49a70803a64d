/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports --
   The compiler leaves `import()` to Node, which needs file extensions; these are loaded lazily. */
import { type CommandClass } from './support/command';

/** A command of the top level, before its module is loaded. */
export interface CommandEntry {
  readonly name: string;
  /** A command line that the help shows, without the name of the program. */
  readonly example: string;
  /** Loads the command and everything that it imports. */
  readonly load: () => CommandClass;
}

/** Commands below a heading of the help. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

const entry = (name: string, example: string, load: () => CommandClass): CommandEntry => ({
  name,
  example,
  load,
});

/**
 * All commands, in the order of the help. Each declares its subcommands, and opens the database
 * itself, so that `--help` needs no database. Only the module of the requested command is loaded,
 * because all of them take a second.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Service',
    commands: [
      entry(
        'serve',
        'serve',
        () => (require('./service.commands') as typeof import('./service.commands')).ServeCommand,
      ),
      entry(
        'doctor',
        'doctor',
        () => (require('./doctor.command') as typeof import('./doctor.command')).DoctorCommand,
      ),
      entry(
        'migrate',
        'migrate status',
        () => (require('./service.commands') as typeof import('./service.commands')).MigrateCommand,
      ),
      entry(
        'backup',
        'backup create --out /var/backups/commonplace.tar',
        () => (require('./backup.commands') as typeof import('./backup.commands')).BackupCommand,
      ),
      entry(
        'sample',
        'sample load',
        () => (require('./service.commands') as typeof import('./service.commands')).SampleCommand,
      ),
      entry(
        'openapi',
        'openapi --out openapi.json',
        () => (require('./service.commands') as typeof import('./service.commands')).OpenApiCommand,
      ),
      entry(
        'completion',
        'completion bash > /etc/bash_completion.d/commonplace',
        () =>
          (require('./completion.command') as typeof import('./completion.command'))
            .CompletionCommand,
      ),
    ],
  },
  {
    title: 'Catalogue',
    commands: [
      entry(
        'import',
        'import book books.json --dry-run',
        () =>
          (require('./transfer.commands') as typeof import('./transfer.commands')).ImportCommand,
      ),
      entry(
        'export',
        'export book --out books.ndjson.gz',
        () =>
          (require('./transfer.commands') as typeof import('./transfer.commands')).ExportCommand,
      ),
      entry(
        'job',
        'job list',
        () => (require('./jobs.commands') as typeof import('./jobs.commands')).JobsCommand,
      ),
      entry(
        'record',
        'record show books 7',
        () => (require('./record.commands') as typeof import('./record.commands')).RecordCommand,
      ),
      entry(
        'chart',
        'chart compute top250',
        () => (require('./charts.commands') as typeof import('./charts.commands')).ChartsCommand,
      ),
      entry(
        'showing',
        'showing list --city 上海',
        () => (require('./showing.commands') as typeof import('./showing.commands')).ShowingCommand,
      ),
      entry(
        'picture',
        'picture sweep',
        () =>
          (require('./pictures.commands') as typeof import('./pictures.commands')).PicturesCommand,
      ),
      entry(
        'recount',
        'recount --check',
        () => (require('./recount.command') as typeof import('./recount.command')).RecountCommand,
      ),
      entry(
        'synthetic',
        'synthetic --books 1000',
        () =>
          (require('./synthetic.command') as typeof import('./synthetic.command')).SyntheticCommand,
      ),
    ],
  },
  {
    title: 'Users and applications',
    commands: [
      entry(
        'user',
        'user role ann administrator',
        () => (require('./user.commands') as typeof import('./user.commands')).UserCommand,
      ),
      entry(
        'friend',
        'friend add ann bob',
        () => (require('./friend.commands') as typeof import('./friend.commands')).FriendCommand,
      ),
      entry(
        'app',
        'app approve CLIENT_ID --level L2',
        () => (require('./app.commands') as typeof import('./app.commands')).AppCommand,
      ),
      entry(
        'token',
        'token issue --app CLIENT_ID --user ann --scopes book_basic_r',
        () => (require('./token.commands') as typeof import('./token.commands')).TokenCommand,
      ),
      entry(
        'limit',
        'limit list',
        () => (require('./limit.commands') as typeof import('./limit.commands')).LimitCommand,
      ),
    ],
  },
  {
    title: 'Moderation',
    commands: [
      entry(
        'moderation',
        'moderation list',
        () =>
          (require('./moderation.commands') as typeof import('./moderation.commands'))
            .ModerationCommand,
      ),
      entry(
        'report',
        'report list',
        () => (require('./report.commands') as typeof import('./report.commands')).ReportCommand,
      ),
      entry(
        'word',
        'word add casino --action hold',
        () => (require('./word.commands') as typeof import('./word.commands')).WordsCommand,
      ),
      entry(
        'note',
        'note history 12',
        () => (require('./note.commands') as typeof import('./note.commands')).NoteCommand,
      ),
      entry(
        'audit',
        'audit list --actor ann',
        () => (require('./audit.commands') as typeof import('./audit.commands')).AuditCommand,
      ),
    ],
  },
];

/** All commands of the top level. */
export const COMMANDS: readonly CommandEntry[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
