import { Command, CommandRunner, SubCommand } from 'nest-commander';
import { AdminJobsService } from '../admin/jobs.service';
import { type Job } from '../transfer/jobs/job';
import { JobsService } from '../transfer/jobs/jobs.service';
import { cliActor } from './actor';
import { print, withServices } from './session';

function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`not the id of a job: ${text}`);
  return Number(text);
}

@SubCommand({ name: 'list', description: 'the latest imports and exports, a line each' })
export class JobsListCommand extends CommandRunner {
  async run(): Promise<void> {
    await withServices(async (app) => {
      for (const job of await app.get(JobsService).list(0, 100)) {
        const { id, type, kind, place, state, created_by, created_at, finished_at } = job;
        print({ id, type, kind, place, state, created_by, created_at, finished_at });
      }
    });
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'all that is known of a job' })
export class JobsShowCommand extends CommandRunner {
  async run([id = '']: string[]): Promise<void> {
    const wanted = idOf(id);
    await withServices(async (app) => {
      const job = await app.get(JobsService).get(wanted);
      if (!job) throw new Error(`there is no job ${id}`);
      print(job);
    });
  }
}

@SubCommand({
  name: 'cancel',
  arguments: '<id>',
  description: 'end a job that waits or runs; what it imported stays',
})
export class JobsCancelCommand extends CommandRunner {
  async run([id = '']: string[]): Promise<void> {
    const wanted = idOf(id);
    await withServices(async (app) => {
      await app.get(AdminJobsService, { strict: false }).cancel(wanted, cliActor());
      const job = (await app.get(JobsService).get(wanted)) as Job;
      print({ id: job.id, state: job.state, cancel_requested: job.cancel_requested });
    });
  }
}

@Command({
  name: 'jobs',
  description: 'imports and exports: how far they are, and what became of them',
  subCommands: [JobsListCommand, JobsShowCommand, JobsCancelCommand],
})
export class JobsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.reject(new Error('jobs: say what to do, such as "jobs list"'));
  }
}
