import { AdminModerationQueueService } from '../admin/moderation-queue.service';
import { QUEUE_STATES, type QueueState } from '../moderation/queue-entry';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { choiceOption, idOption } from './support/options';
import { withServices } from './support/bootstrap';
import { RECORDED_NAME, RecordedCommand } from './support/recorded.command';
import { print, printAll } from './support/output';

@Command({
  name: 'list',
  description: 'list the texts in the moderation queue; one JSON object per line',
})
export class ModerationListCommand extends CommandRunner {
  async run(_arguments: string[], { state = 'open' }: { state?: QueueState }): Promise<void> {
    await withServices((app) => {
      const queue = app.get(AdminModerationQueueService, { strict: false });
      return printAll(queue.scan(state), ({ user_id: _user, ...row }) => row);
    });
  }

  @Option({
    flags: '--state <state>',
    description: `${QUEUE_STATES.join(', ')} (default: open)`,
    choices: [...QUEUE_STATES],
  })
  parseState(value: string): string {
    return choiceOption('state', value, QUEUE_STATES);
  }
}

@Command({ name: 'show', arguments: '<id>', description: 'show a text in the queue' })
export class ModerationShowCommand extends CommandRunner {
  async run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    await withServices(async (app) => {
      print(await app.get(AdminModerationQueueService, { strict: false }).getEntry(wanted));
    });
  }
}

/** Common options of both decisions. */
abstract class ModerationDecisionCommand extends RecordedCommand {
  protected abstract readonly verb: 'release' | 'reject';

  async run([id = '']: string[], { by = RECORDED_NAME }: { by?: string }): Promise<void> {
    const wanted = idOption(id);
    await withServices(async (app) => {
      const queue = app.get(AdminModerationQueueService, { strict: false });
      print(await queue[this.verb](wanted, cliActor(), by));
    });
  }
}

@Command({
  name: 'release',
  arguments: '<id>',
  description: 'release a text: others can see it',
})
export class ModerationReleaseCommand extends ModerationDecisionCommand {
  protected override readonly verb = 'release';
}

@Command({
  name: 'reject',
  arguments: '<id>',
  description: 'reject a text: only its author can see it',
})
export class ModerationRejectCommand extends ModerationDecisionCommand {
  protected override readonly verb = 'reject';
}

@Command({
  name: 'moderation',
  description: 'the moderation queue',
  subCommands: [
    ModerationListCommand,
    ModerationShowCommand,
    ModerationReleaseCommand,
    ModerationRejectCommand,
  ],
})
export class ModerationCommand extends ParentCommand {}
