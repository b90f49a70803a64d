import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AdminModerationQueueService } from '../admin/moderation-queue.service';
import { QUEUE_STATES, type QueueState } from '../moderation/moderation-queue.service';
import { cliActor } from './support/actor';
import { printAll } from './support/lists';
import { idOption } from './support/options';
import { print, withServices } from './support/bootstrap';

/** Whom decisions are noted down for when nobody is named. */
const ACTOR = 'administrator';

@SubCommand({ name: 'list', description: 'texts that wait, one JSON object a line' })
export class ModerationListCommand extends CommandRunner {
  async run(_arguments: string[], { state = 'open' }: { state?: QueueState }): Promise<void> {
    await withServices((app) => {
      const held = app.get(AdminModerationQueueService, { strict: false });
      return printAll(held.scan(state));
    });
  }

  @Option({
    flags: '--state <state>',
    description: `${QUEUE_STATES.join(', ')}; open when not given`,
    choices: [...QUEUE_STATES],
  })
  parseState(value: string): string {
    return value;
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'a held text' })
export class ModerationShowCommand extends CommandRunner {
  async run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    await withServices(async (app) => {
      print(await app.get(AdminModerationQueueService, { strict: false }).show(wanted));
    });
  }
}

/** What both decisions have in common. */
abstract class ModerationDecisionCommand extends CommandRunner {
  protected abstract readonly verb: 'release' | 'reject';

  async run([id = '']: string[], { by = ACTOR }: { by?: string }): Promise<void> {
    const wanted = idOption(id);
    await withServices(async (app) => {
      const held = app.get(AdminModerationQueueService, { strict: false });
      print(await held[this.verb](wanted, cliActor(), by));
    });
  }

  @Option({ flags: '--by <name>', description: 'who decides; "administrator" when not given' })
  parseBy(value: string): string {
    return value;
  }
}

@SubCommand({ name: 'release', arguments: '<id>', description: 'let others see a text' })
export class ModerationReleaseCommand extends ModerationDecisionCommand {
  protected override readonly verb = 'release';
}

@SubCommand({ name: 'reject', arguments: '<id>', description: 'leave a text to its author alone' })
export class ModerationRejectCommand extends ModerationDecisionCommand {
  protected override readonly verb = 'reject';
}

@Command({
  name: 'moderation',
  description: 'texts that wait for a moderator',
  subCommands: [
    ModerationListCommand,
    ModerationShowCommand,
    ModerationReleaseCommand,
    ModerationRejectCommand,
  ],
})
export class ModerationCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('moderation: say what to do: list, show, release or reject'));
  }
}
