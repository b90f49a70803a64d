import { createBackup } from '../backup/create';
import { restoreBackup } from '../backup/restore';
import { verifyBackup } from '../backup/verify';
import { loadSettings } from '../config/settings';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { logToStderr, withStopSignal } from './support/bootstrap';
import { print } from './support/output';

@Command({ name: 'create', description: 'back up the embedded database and its pictures' })
export class BackupCreateCommand extends CommandRunner {
  async run(_arguments: string[], { out }: { out: string }): Promise<void> {
    const settings = loadSettings();
    const toOutput = out === '-';
    if (toOutput && process.stdout.isTTY) throw new Error('standard output is a terminal');
    if (settings.PICTURES_S3_BUCKET !== undefined) {
      logToStderr(
        `pictures are not part of the backup: they are in ${settings.PICTURES_S3_BUCKET}`,
      );
    }
    const created = await withStopSignal((signal) =>
      createBackup(settings, toOutput ? process.stdout : out, signal, logToStderr),
    );
    if (toOutput) logToStderr(created);
    else print({ file: out, ...created });
  }

  @Option({
    flags: '--out <file>',
    description: 'file to create; - for standard output',
    required: true,
  })
  parseOut(value: string): string {
    return value;
  }
}

@Command({
  name: 'restore',
  description: 'restore a backup to DATA_DIR and PICTURES_DIR; stop the server first',
  arguments: '<file>',
})
export class BackupRestoreCommand extends CommandRunner {
  async run([file = '']: string[], { replace = false }: { replace?: boolean }): Promise<void> {
    const settings = loadSettings();
    const restore = (signal: AbortSignal): ReturnType<typeof restoreBackup> =>
      restoreBackup(file, settings, { replace, signal });
    print({ file, ...(await withStopSignal(restore)) });
  }

  @Option({ flags: '--replace', description: 'move the existing database out of the way' })
  parseReplace(): boolean {
    return true;
  }
}

@Command({
  name: 'verify',
  description: 'verify the checksums of all files of a backup',
  arguments: '<file>',
})
export class BackupVerifyCommand extends CommandRunner {
  async run([file = '']: string[]): Promise<void> {
    print({ file, ...(await withStopSignal((signal) => verifyBackup(file, signal))) });
  }
}

@Command({
  name: 'backup',
  description: 'back up and restore the embedded database',
  subCommands: [BackupCreateCommand, BackupRestoreCommand, BackupVerifyCommand],
})
export class BackupCommand extends ParentCommand {}
