import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ReportsService, type Resolution } from '../admin/reports.service';
import { cliActor } from './actor';
import { wholeOption } from './options';
import { print, withServices } from './session';

@SubCommand({
  name: 'list',
  description: 'what users reported and nobody has decided, a line each',
})
export class ReportListCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      const reports = app.get(ReportsService, { strict: false });
      const { items } = await reports.list('open', undefined, { start: 0, count: 1000 });
      for (const { id, kind, target_id, reporter, reason, created } of items) {
        print({ id, kind, target_id, reporter, reason, created });
      }
    });
  }
}

@SubCommand({
  name: 'resolve',
  arguments: '<id> <action>',
  description: 'decide about every open report of a thing: "dismiss", or "hide" it from others',
})
export class ReportResolveCommand extends CommandRunner {
  async run([id = '', action = '']: string[], options: { comment?: string }): Promise<void> {
    const wanted = wholeOption(id);
    if (action !== 'dismiss' && action !== 'hide') throw new Error('say "dismiss" or "hide"');
    const resolution: Resolution = action;
    await withServices(async (app) => {
      const reports = app.get(ReportsService, { strict: false });
      print(await reports.resolve(wanted, resolution, options.comment ?? '', cliActor()));
    });
  }

  @Option({ flags: '--comment <text>', description: 'why' })
  parseComment(value: string): string {
    return value;
  }
}

@Command({
  name: 'report',
  description: 'what users want administrators to look at',
  subCommands: [ReportListCommand, ReportResolveCommand],
})
export class ReportCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('report: say what to do: list or resolve'));
  }
}
