import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AdminHeldService } from '../admin/held.service';
import { HELD_STATES, HeldService, type HeldRow, type HeldState } from '../moderation/held.service';
import { cliActor } from './actor';
import { print, withServices } from './session';

/** Whom decisions are noted down for when nobody is named. */
const ACTOR = 'administrator';
/** Texts that are read at once. */
const PAGE = 1000;

const wireOf = ({ hit: _hit, total: _total, ...row }: HeldRow & Record<string, unknown>) => row;

@SubCommand({ name: 'list', description: 'texts that wait, one JSON object a line' })
export class HeldListCommand extends CommandRunner {
  async run(_arguments: string[], { state }: { state?: HeldState }): Promise<void> {
    await withServices(async (app) => {
      for (let start = 0; ; start += PAGE) {
        const { items } = await app.get(HeldService).list({ start, count: PAGE }, state);
        for (const row of items) print(wireOf({ ...row }));
        if (items.length < PAGE) return;
      }
    });
  }

  @Option({
    flags: '--state <state>',
    description: `${HELD_STATES.join(', ')}; open when not given`,
    choices: [...HELD_STATES],
  })
  parseState(value: string): string {
    return value;
  }
}

/** What both decisions have in common. */
abstract class HeldDecisionCommand extends CommandRunner {
  protected abstract readonly verb: 'release' | 'reject';

  async run([id = '']: string[], { by = ACTOR }: { by?: string }): Promise<void> {
    if (!/^\d{1,15}$/.test(id)) throw new Error(`not the id of a held text: ${id}`);
    await withServices(async (app) => {
      const held = app.get(AdminHeldService, { strict: false });
      print(await held[this.verb](Number(id), cliActor(), by));
    });
  }

  @Option({ flags: '--by <name>', description: 'who decides; "administrator" when not given' })
  parseBy(value: string): string {
    return value;
  }
}

@SubCommand({ name: 'release', arguments: '<id>', description: 'let others see a text' })
export class HeldReleaseCommand extends HeldDecisionCommand {
  protected override readonly verb = 'release';
}

@SubCommand({ name: 'reject', arguments: '<id>', description: 'leave a text to its author alone' })
export class HeldRejectCommand extends HeldDecisionCommand {
  protected override readonly verb = 'reject';
}

@Command({
  name: 'held',
  description: 'texts that wait for a moderator',
  subCommands: [HeldListCommand, HeldReleaseCommand, HeldRejectCommand],
})
export class HeldCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('held: say what to do: list, release or reject'));
  }
}
