import { Database } from '../database/database';
import { PictureSweeper } from '../images/picture-sweeper';
import { hasUses } from '../images/pictures.repository';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

interface SweepFlags {
  readonly unknown?: boolean;
}

@Command({
  name: 'sweep',
  description:
    'delete pictures without a use in the last hour; print the number of deleted files, and of ' +
    'those that this database does not know',
})
export class PicturesSweepCommand extends CommandRunner {
  async run(_arguments: string[], { unknown }: SweepFlags): Promise<void> {
    await withServices(async (app) => {
      // Every file would be unknown to a wrong, empty database.
      if (unknown === true && !(await hasUses(app.get(Database, { strict: false })))) {
        throw new Error(
          'picture sweep: --unknown is rejected, because the database has no pictures',
        );
      }
      const sweeper = app.get(PictureSweeper, { strict: false });
      const result = await sweeper.sweep({ deleteUnknown: unknown === true });
      print(result);
      if (result.failed !== undefined) process.exitCode = 1;
    });
  }

  @Option({
    flags: '--unknown',
    description:
      'also delete the files that this database does not know; they may belong to another one',
  })
  parseUnknown(): boolean {
    return true;
  }
}

@Command({
  name: 'picture',
  description: 'uploaded pictures',
  subCommands: [PicturesSweepCommand],
})
export class PicturesCommand extends ParentCommand {}
