import { PictureSweeper } from '../images/picture-sweeper';
import { Command, CommandRunner, ParentCommand } from './support/command';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

@Command({
  name: 'sweep',
  description: 'delete pictures without a use in the last hour; print the number of files',
})
export class PicturesSweepCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      print({ removed: await app.get(PictureSweeper, { strict: false }).sweep() });
    });
  }
}

@Command({
  name: 'picture',
  description: 'uploaded pictures',
  subCommands: [PicturesSweepCommand],
})
export class PicturesCommand extends ParentCommand {}
