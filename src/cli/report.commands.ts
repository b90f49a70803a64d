import { ReportsService, RESOLUTIONS } from '../admin/reports.service';
import { REPORTED_KINDS, type ReportedKind } from '../moderation/reported-kinds';
import { REPORT_STATES, type ReportState } from '../moderation/reports.repository';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { choiceOption, idOption } from './support/options';
import { withServices } from './support/bootstrap';
import { print, printAll } from './support/output';

const withReports = (work: (reports: ReportsService) => Promise<void>): Promise<void> =>
  withServices((app) => work(app.get(ReportsService, { strict: false })));

interface ListOptions {
  readonly state?: ReportState;
  readonly kind?: ReportedKind;
}

@Command({ name: 'list', description: 'list reports, oldest first; one JSON object per line' })
export class ReportListCommand extends CommandRunner {
  run(_arguments: string[], { state = 'open', kind }: ListOptions): Promise<void> {
    return withReports((reports) => printAll(reports.scan(state, kind)));
  }

  @Option({
    flags: '--state <state>',
    description: `${REPORT_STATES.join(', ')} (default: open)`,
    choices: [...REPORT_STATES],
  })
  parseState(value: string): string {
    return choiceOption('state', value, REPORT_STATES);
  }

  @Option({ flags: '--kind <kind>', description: 'filter by kind', choices: [...REPORTED_KINDS] })
  parseKind(value: string): string {
    return choiceOption('kind', value, REPORTED_KINDS);
  }
}

@Command({ name: 'show', arguments: '<id>', description: 'show a report' })
export class ReportShowCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withReports(async (reports) => {
      print(await reports.getReport(wanted));
    });
  }
}

@Command({
  name: 'resolve',
  arguments: '<id> <action>',
  values: { action: RESOLUTIONS },
  description:
    'resolve all open reports of the same content: "dismiss" them, or "hide" the content',
})
export class ReportResolveCommand extends CommandRunner {
  run([id = '', action = '']: string[], { comment = '' }: { comment?: string }): Promise<void> {
    const wanted = idOption(id);
    const resolution = choiceOption('action', action, RESOLUTIONS);
    return withReports(async (reports) => {
      print(await reports.resolve(wanted, resolution, comment, cliActor()));
    });
  }

  @Option({ flags: '--comment <text>', description: 'why' })
  parseComment(value: string): string {
    return value;
  }
}

@Command({
  name: 'report',
  description: 'reports by users',
  subCommands: [ReportListCommand, ReportShowCommand, ReportResolveCommand],
})
export class ReportCommand extends ParentCommand {}
