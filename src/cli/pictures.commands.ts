import { PictureSweeper } from '../images/picture-sweeper';
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
      const sweeper = app.get(PictureSweeper, { strict: false });
      print(await sweeper.sweep({ deleteUnknown: unknown === true }));
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
