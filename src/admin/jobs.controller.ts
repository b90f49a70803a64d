import { Controller, Get, Post } from '@nestjs/common';
import { BodyInput, EnumParam, QueryInput, Text } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { bool, int, json, list, resource, str, time, oneOf } from '../api/resources/resource';
import { ExistingIdParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { JOB_STATES, JOB_TYPES, type JobState, type JobType } from '../import-export/jobs/job';
import { WAITING_FOR } from '../import-export/jobs/job-status';
import { CurrentAdministrator, Admin } from './admin-route';
import { AdminJobsService, type AdminJob } from './jobs.service';

const AdminJobResource = resource('AdminJob', {
  id: { type: str(), about: 'Id of the job.' },
  type: { type: oneOf(...JOB_TYPES), about: 'Whether it imports or exports.' },
  kind: { type: str(), about: 'Type of the records, or `all`.' },
  path: { type: str(), about: 'File or folder in TRANSFER_DIR.' },
  state: { type: oneOf(...JOB_STATES), about: 'State of the job.' },
  waiting_for: {
    type: oneOf(...WAITING_FOR),
    optional: true,
    about:
      'What a waiting job waits for: another `job`, a `command` that resumes it, the `start` of its process, ' +
      'or a `server` that runs jobs.',
  },
  percent: { type: int(), optional: true, about: 'Percentage of the job that is done, 0 to 100.' },
  records_per_second: { type: int(), optional: true, about: 'Average speed.' },
  seconds_left: { type: int(), optional: true, about: 'Estimated time to the end.' },
  progress: { type: list(json()), about: 'Progress by file.' },
  error_count: { type: int(), about: 'Number of rejected records.' },
  error: { type: str(), about: 'Reason of the failure.' },
  cancel_requested: { type: bool(), about: 'Whether an administrator has cancelled it.' },
  created_by: { type: str(), about: 'Uid of the administrator, or `cli:` and a name.' },
  created: { type: time(), about: 'Time of creation.' },
  started: { type: time(), about: 'Time of the start.' },
  finished: { type: time(), about: 'Time of the end.' },
});

const JobError = resource('JobError', {
  file: { type: str(), about: 'Name of the file.' },
  line: { type: int(), about: 'Line of the record, starting at 1.' },
  reason: { type: str(), about: 'Why the record was rejected.' },
});

class JobsQuery {
  @EnumParam(JOB_STATES, { about: 'Jobs in this state.' })
  state?: JobState;
}

class JobInput {
  @EnumParam(JOB_TYPES, { required: true, about: 'Whether to import or to export.' })
  type: JobType;

  @Text({ required: true, moderated: false, max: 50, about: 'A kind of records, or `all`.' })
  kind: string;

  @Text({ required: true, moderated: false, max: 100, about: 'A name in TRANSFER_DIR.' })
  path: string;
}

/** Administration of import and export jobs. */
@Controller('admin/v1/jobs')
export class AdminJobsController {
  constructor(private readonly jobs: AdminJobsService) {}

  @Get()
  @Admin('List import and export jobs, newest first')
  @RespondsList('jobs', AdminJobResource)
  list(
    @QueryInput(JobsQuery) { state }: JobsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<AdminJob>> {
    return this.jobs.list(state, page);
  }

  @Get(':id')
  @Admin('Get a job with its progress')
  @Responds(AdminJobResource)
  getJob(@ExistingIdParam('id') id: number): Promise<AdminJob> {
    return this.jobs.getJob(id);
  }

  @Post()
  @Admin('Start an import or export')
  @Responds(AdminJobResource, { status: 201 })
  start(
    @BodyInput(JobInput) input: JobInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<AdminJob> {
    return this.jobs.startAfterFileCheck(input, actor);
  }

  @Post(':id/cancel')
  @Admin('Cancel an import or export; imported records stay')
  @Responds(AdminJobResource)
  cancel(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<AdminJob> {
    return this.jobs.cancel(id, actor);
  }

  @Get(':id/report')
  @Admin('List the first rejected records')
  @RespondsList('errors', JobError)
  report(@ExistingIdParam('id') id: number, @Paging() page: PageQuery): Promise<Page<object>> {
    return this.jobs.report(id, page);
  }
}
