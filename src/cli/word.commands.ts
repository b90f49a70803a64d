import { readFile } from 'node:fs/promises';
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AdminWordsService } from '../admin/words.service';
import { type Action } from '../moderation/matcher';
import { type WordsAdded } from '../moderation/words.service';
import { cliActor } from './support/actor';
import { printAll } from './support/lists';
import { print, readInput, withServices } from './support/bootstrap';

/** Whom words are noted down for when nobody is named. */
const ACTOR = 'administrator';
const ACTIONS: readonly Action[] = ['refuse', 'hold'];

interface AddOptions {
  readonly action?: Action;
  readonly by?: string;
}

/** What adding words has in common, one by one or a file of them. */
abstract class AddingCommand extends CommandRunner {
  protected async add(
    { action = 'refuse', by = ACTOR }: AddOptions,
    work: (words: AdminWordsService, action: Action, by: string) => Promise<WordsAdded>,
  ): Promise<void> {
    await withServices(async (app) => {
      print(await work(app.get(AdminWordsService, { strict: false }), action, by));
    });
  }

  @Option({
    flags: '--action <action>',
    description: 'what texts with the word meet: refuse (default), or hold for a moderator',
    choices: [...ACTIONS],
  })
  parseAction(value: string): string {
    return value;
  }

  @Option({ flags: '--by <name>', description: 'who adds it; "administrator" when not given' })
  parseBy(value: string): string {
    return value;
  }
}

@SubCommand({
  name: 'add',
  arguments: '<words...>',
  description: 'add words, or change what they do; servers follow at once',
})
export class WordsAddCommand extends AddingCommand {
  run(words: string[], options: AddOptions): Promise<void> {
    return this.add(options, (service, action, by) => service.add(words, action, cliActor(), by));
  }
}

@SubCommand({
  name: 'import',
  arguments: '<file>',
  description: 'add the words of a file, one a line ("-" is standard input)',
})
export class WordsImportCommand extends AddingCommand {
  async run([file = '']: string[], options: AddOptions): Promise<void> {
    const text = file === '-' ? await readInput() : await readFile(file, 'utf8');
    await this.add(options, (service, action, by) =>
      service.addLines(text, action, cliActor(), by),
    );
  }
}

@SubCommand({ name: 'remove', arguments: '<words...>', description: 'take words out of the list' })
export class WordsRemoveCommand extends CommandRunner {
  async run(words: string[]): Promise<void> {
    await withServices(async (app) => {
      const service = app.get(AdminWordsService, { strict: false });
      print({ removed: await service.removeAll(words, cliActor()) });
    });
  }
}

@SubCommand({ name: 'list', description: 'every word, one JSON object a line' })
export class WordsListCommand extends CommandRunner {
  async run(_arguments: string[], { action }: AddOptions): Promise<void> {
    await withServices((app) => {
      const words = app.get(AdminWordsService, { strict: false });
      return printAll(words.scan(action));
    });
  }

  @Option({ flags: '--action <action>', description: 'only these', choices: [...ACTIONS] })
  parseAction(value: string): string {
    return value;
  }
}

@Command({
  name: 'word',
  description: 'banned words',
  subCommands: [WordsListCommand, WordsAddCommand, WordsRemoveCommand, WordsImportCommand],
})
export class WordsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('word: say what to do: list, add, remove or import'));
  }
}
