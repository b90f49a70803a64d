import { AdminWordsService } from '../admin/words.service';
import { type Action } from '../moderation/matcher';
import { type WordsAdded } from '../moderation/words.service';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { readText, withServices } from './support/bootstrap';
import { RECORDED_NAME, RecordedCommand } from './support/recorded.command';
import { print, printAll } from './support/output';
import { choiceOption } from './support/options';

const ACTIONS: readonly Action[] = ['refuse', 'hold'];

interface AddOptions {
  readonly action?: Action;
  readonly by?: string;
}

/** Common options of adding words. */
abstract class AddingCommand extends RecordedCommand {
  protected async add(
    { action = 'refuse', by = RECORDED_NAME }: AddOptions,
    work: (words: AdminWordsService, action: Action, by: string) => Promise<WordsAdded>,
  ): Promise<void> {
    await withServices(async (app) => {
      print(await work(app.get(AdminWordsService, { strict: false }), action, by));
    });
  }

  @Option({
    flags: '--action <action>',
    description: 'action for texts with the word: refuse (default), or hold for moderation',
    choices: [...ACTIONS],
  })
  parseAction(value: string): string {
    return choiceOption('action', value, ACTIONS);
  }
}

@Command({
  name: 'add',
  arguments: '<words...>',
  description: 'add words or change their action; running servers apply it immediately',
})
export class WordsAddCommand extends AddingCommand {
  run(words: string[], options: AddOptions): Promise<void> {
    return this.add(options, (service, action, by) =>
      service.addWords(words, action, cliActor(), by),
    );
  }
}

@Command({
  name: 'import',
  arguments: '<file>',
  description: 'add the words of a file, one per line ("-" for standard input)',
})
export class WordsImportCommand extends AddingCommand {
  async run([file = '']: string[], options: AddOptions): Promise<void> {
    const text = await readText(file);
    await this.add(options, (service, action, by) =>
      service.addLines(text, action, cliActor(), by),
    );
  }
}

@Command({ name: 'remove', arguments: '<words...>', description: 'remove words from the list' })
export class WordsRemoveCommand extends CommandRunner {
  async run(words: string[]): Promise<void> {
    await withServices(async (app) => {
      const service = app.get(AdminWordsService, { strict: false });
      print({ removed: await service.removeAll(words, cliActor()) });
    });
  }
}

@Command({ name: 'list', description: 'list all words; one JSON object per line' })
export class WordsListCommand extends CommandRunner {
  async run(_arguments: string[], { action }: AddOptions): Promise<void> {
    await withServices((app) => {
      const words = app.get(AdminWordsService, { strict: false });
      return printAll(words.scan(action));
    });
  }

  @Option({ flags: '--action <action>', description: 'filter by action', choices: [...ACTIONS] })
  parseAction(value: string): string {
    return choiceOption('action', value, ACTIONS);
  }
}

@Command({
  name: 'word',
  description: 'banned words',
  subCommands: [WordsListCommand, WordsAddCommand, WordsRemoveCommand, WordsImportCommand],
})
export class WordsCommand extends ParentCommand {}
