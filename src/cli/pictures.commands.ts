import { Command, CommandRunner, SubCommand } from 'nest-commander';
import { PictureSweeper } from '../images/picture-sweeper';
import { print, withServices } from './support/bootstrap';

@SubCommand({
  name: 'sweep',
  description: 'remove pictures that nothing has shown for an hour; prints the number of files',
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
  description: 'the pictures of users',
  subCommands: [PicturesSweepCommand],
})
export class PicturesCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('picture: say what to do, such as "picture sweep"'));
  }
}
