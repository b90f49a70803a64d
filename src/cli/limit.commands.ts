import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AdminApplicationsService } from '../admin/applications.service';
import { AdminLimitsService } from '../admin/limits.service';
import { LimitsService } from '../limits/limits.service';
import { cliActor } from './support/actor';
import { print, withServices } from './support/bootstrap';

function wholeNumber(value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new Error(`not a number of calls: ${value}`);
  return Number(value);
}

@SubCommand({ name: 'list', description: 'every limit, and whether it was set here' })
export class LimitListCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      print({ limits: await app.get(LimitsService, { strict: false }).list() });
    });
  }
}

@SubCommand({ name: 'show', arguments: '<name>', description: 'a limit' })
export class LimitShowCommand extends CommandRunner {
  async run([name = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      print(await app.get(AdminLimitsService, { strict: false }).show(name));
    });
  }
}

@SubCommand({
  name: 'set',
  arguments: '<name> <value>',
  description: 'set a limit, for servers that run too; 0 is no limit',
})
export class LimitSetCommand extends CommandRunner {
  async run([name = '', value = '']: string[]): Promise<void> {
    const number = wholeNumber(value);
    await withServices(async (app) => {
      await app.get(AdminLimitsService, { strict: false }).set(name, number, cliActor());
      print({ name, value: number });
    });
  }
}

@SubCommand({
  name: 'reset',
  arguments: '<name>',
  description: 'make a limit what the settings say',
})
export class LimitResetCommand extends CommandRunner {
  async run([name = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      await app.get(AdminLimitsService, { strict: false }).reset(name, cliActor());
      print({ name, value: null });
    });
  }
}

@Command({
  name: 'limit',
  description: 'limits of calls',
  subCommands: [LimitListCommand, LimitShowCommand, LimitSetCommand, LimitResetCommand],
})
export class LimitCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('limit: say what to do: list, show, set or reset'));
  }
}

interface AppLimitOptions {
  readonly perHour?: number;
  readonly default?: true;
}

@SubCommand({
  name: 'limit',
  arguments: '<client_id>',
  description: 'give an application a limit of its own, or that of its level again',
})
export class AppLimitCommand extends CommandRunner {
  async run([clientId = '']: string[], options: AppLimitOptions): Promise<void> {
    if ((options.perHour === undefined) === (options.default === undefined)) {
      throw new Error('app limit: say either --per-hour or --default');
    }
    const perHour = options.perHour ?? null;
    await withServices(async (app) => {
      const applications = app.get(AdminApplicationsService, { strict: false });
      await applications.setLimit(clientId, perHour, cliActor());
      print({ client_id: clientId, limit_per_hour: perHour });
    });
  }

  @Option({ flags: '--per-hour <calls>', description: 'calls an hour; 0 is no limit' })
  parsePerHour(value: string): number {
    return wholeNumber(value);
  }

  @Option({ flags: '--default', description: 'the limit of its level' })
  parseDefault(): true {
    return true;
  }
}
