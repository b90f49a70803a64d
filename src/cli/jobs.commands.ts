import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { AdminJobsService } from '../admin/jobs.service';
import { JOB_STATES, JOB_TYPES, MAX_FAULTS, type JobState } from '../import-export/jobs/job';
import { cliActor } from './support/actor';
import { printAll } from './support/lists';
import { choiceOption, idOption } from './support/options';
import { print, withServices } from './support/bootstrap';

const withJobs = (work: (jobs: AdminJobsService) => Promise<void>): Promise<void> =>
  withServices((app) => work(app.get(AdminJobsService, { strict: false })));

@SubCommand({ name: 'list', description: 'imports and exports, the latest first, a line each' })
export class JobsListCommand extends CommandRunner {
  run(_arguments: string[], { state }: { state?: JobState }): Promise<void> {
    return withJobs((jobs) => printAll(jobs.scan(state)));
  }

  @Option({ flags: '--state <state>', description: 'only these', choices: [...JOB_STATES] })
  parseState(value: string): string {
    return value;
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'how far a job is' })
export class JobsShowCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withJobs(async (jobs) => {
      print(await jobs.show(wanted));
    });
  }
}

@SubCommand({
  name: 'report',
  arguments: '<id>',
  description: 'the first records that a job could not take, a line each',
})
export class JobsReportCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withJobs(async (jobs) => {
      const { items } = await jobs.report(wanted, { start: 0, count: MAX_FAULTS });
      await printAll(items);
    });
  }
}

@SubCommand({
  name: 'start',
  arguments: '<type> <kind> <place>',
  description:
    'have the server import or export a kind, or "all", from or to a name in TRANSFER_DIR; ' +
    '"import" and "export" do it here and now',
})
export class JobsStartCommand extends CommandRunner {
  run([type = '', kind = '', place = '']: string[]): Promise<void> {
    const wish = { type: choiceOption('type', type, JOB_TYPES), kind, place };
    return withJobs(async (jobs) => {
      print(await jobs.start(wish, cliActor()));
    });
  }
}

@SubCommand({
  name: 'cancel',
  arguments: '<id>',
  description: 'end a job that waits or runs; what it imported stays',
})
export class JobsCancelCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withJobs(async (jobs) => {
      print(await jobs.cancel(wanted, cliActor()));
    });
  }
}

@Command({
  name: 'job',
  description: 'imports and exports: how far they are, and what became of them',
  subCommands: [
    JobsListCommand,
    JobsShowCommand,
    JobsReportCommand,
    JobsStartCommand,
    JobsCancelCommand,
  ],
})
export class JobsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('job: say what to do, such as "job list"'));
  }
}
