import { NoteHistoryRepository } from '../notes/note-history.repository';
import { Command, CommandRunner, ParentCommand } from './support/command';
import { integerOption } from './support/options';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

@Command({
  name: 'history',
  arguments: '<id>',
  description: 'list the previous versions of a note, newest first; one JSON object per line',
})
export class NoteHistoryCommand extends CommandRunner {
  async run([id = '']: string[]): Promise<void> {
    const number = integerOption(id);
    await withServices(async (app) => {
      const versions = await app.get(NoteHistoryRepository, { strict: false }).of(number);
      for (const version of versions) print(version);
    });
  }
}

@Command({ name: 'note', description: 'notes', subCommands: [NoteHistoryCommand] })
export class NoteCommand extends ParentCommand {}
