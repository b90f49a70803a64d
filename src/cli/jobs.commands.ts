import { AdminJobsService, type AdminJob } from '../admin/jobs.service';
import { JOB_STATES, JOB_TYPES, MAX_ERRORS, type JobState } from '../import-export/jobs/job';
import { RecordHandlers } from '../import-export/engine/handlers';
import { Command, CommandRunner, Option, ParentCommand } from './support/command';
import { cliActor } from './support/actor';
import { choiceOption, idOption } from './support/options';
import { withServices } from './support/bootstrap';
import { print, printAll } from './support/output';

const withJobs = (work: (jobs: AdminJobsService) => Promise<void>): Promise<void> =>
  withServices((app) => work(app.get(AdminJobsService, { strict: false })));

/** The columns of a job in a table: counts instead of the progress by file. */
const toJobRow = ({ progress, ...job }: AdminJob): object => ({
  id: job.id,
  type: job.type,
  kind: job.kind,
  path: job.path,
  state: job.state,
  records: progress.reduce((sum, { records }) => sum + records, 0),
  rejected: job.error_count,
  created: job.created,
  finished: job.finished,
  by: job.created_by,
  error: job.error,
});

@Command({ name: 'list', description: 'list jobs, newest first; one JSON object per line' })
export class JobsListCommand extends CommandRunner {
  run(_arguments: string[], { state }: { state?: JobState }): Promise<void> {
    return withJobs((jobs) => printAll(jobs.scan(state), toJobRow));
  }

  @Option({ flags: '--state <state>', description: 'filter by state', choices: [...JOB_STATES] })
  parseState(value: string): string {
    return choiceOption('state', value, JOB_STATES);
  }
}

@Command({ name: 'show', arguments: '<id>', description: 'show the progress of a job' })
export class JobsShowCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withJobs(async (jobs) => {
      print(await jobs.getJob(wanted));
    });
  }
}

@Command({
  name: 'report',
  arguments: '<id>',
  description: 'show the first records that a job rejected; one JSON object per line',
})
export class JobsReportCommand extends CommandRunner {
  run([id = '']: string[]): Promise<void> {
    const wanted = idOption(id);
    return withJobs(async (jobs) => {
      const { items } = await jobs.report(wanted, { start: 0, count: MAX_ERRORS });
      await printAll(items);
    });
  }
}

@Command({
  name: 'start',
  arguments: '<type> <kind> <path>',
  values: { type: JOB_TYPES, kind: [...new RecordHandlers().all.map(({ name }) => name), 'all'] },
  description:
    'start a job: the server imports or exports a kind, or "all", from or to a name in TRANSFER_DIR; ' +
    'the commands "import" and "export" run in the foreground',
})
export class JobsStartCommand extends CommandRunner {
  run([type = '', kind = '', path = '']: string[]): Promise<void> {
    const requested = { type: choiceOption('type', type, JOB_TYPES), kind, path };
    return withJobs(async (jobs) => {
      print(await jobs.start(requested, cliActor()));
    });
  }
}

@Command({
  name: 'cancel',
  arguments: '<id>',
  description: 'cancel a waiting or running job; records it imported stay',
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
  description: 'import and export jobs',
  subCommands: [
    JobsListCommand,
    JobsShowCommand,
    JobsReportCommand,
    JobsStartCommand,
    JobsCancelCommand,
  ],
})
export class JobsCommand extends ParentCommand {}
