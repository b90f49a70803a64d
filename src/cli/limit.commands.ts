import { AdminApplicationsService } from '../admin/applications.service';
import { AdminLimitsService } from '../admin/limits.service';
import { LIMIT_NAMES } from '../config/limit-settings';
import { LimitsService } from '../limits/limits.service';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

function wholeNumber(value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new Error(`invalid number of requests: ${value}`);
  return Number(value);
}

@Command({ name: 'list', description: 'list all limits and where their values come from' })
export class LimitListCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      print({ limits: await app.get(LimitsService, { strict: false }).list() });
    });
  }
}

@Command({
  name: 'show',
  arguments: '<name>',
  values: { name: LIMIT_NAMES },
  description: 'show a limit',
})
export class LimitShowCommand extends CommandRunner {
  async run([name = '']: string[]): Promise<void> {
    await withServices(async (app) => {
      print(await app.get(AdminLimitsService, { strict: false }).getLimit(name));
    });
  }
}

@Command({
  name: 'set',
  arguments: '<name> <value>',
  values: { name: LIMIT_NAMES },
  description: 'set a limit, also for running servers; 0 means unlimited',
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

@Command({
  name: 'reset',
  arguments: '<name>',
  values: { name: LIMIT_NAMES },
  description: 'reset a limit to the value of the settings',
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
  description: 'request limits',
  subCommands: [LimitListCommand, LimitShowCommand, LimitSetCommand, LimitResetCommand],
})
export class LimitCommand extends ParentCommand {}

interface AppLimitOptions {
  readonly perHour?: number;
  readonly default?: true;
}

@Command({
  name: 'limit',
  arguments: '<client_id>',
  description: "set an application's own limit, or reset it to that of its level",
})
export class AppLimitCommand extends CommandRunner {
  async run([clientId = '']: string[], options: AppLimitOptions): Promise<void> {
    if ((options.perHour === undefined) === (options.default === undefined)) {
      throw new Error('app limit: either --per-hour or --default is required');
    }
    const perHour = options.perHour ?? null;
    await withServices(async (app) => {
      const applications = app.get(AdminApplicationsService, { strict: false });
      await applications.setLimit(clientId, perHour, cliActor());
      print({ client_id: clientId, limit_per_hour: perHour });
    });
  }

  @Option({ flags: '--per-hour <calls>', description: 'requests per hour; 0 means unlimited' })
  parsePerHour(value: string): number {
    return wholeNumber(value);
  }

  @Option({ flags: '--default', description: 'use the limit of its level' })
  parseDefault(): true {
    return true;
  }
}
