import { Controller, Get, Post } from '@nestjs/common';
import { BodyInput, EnumParam, QueryInput, Text } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { bool, int, json, list, resource, str, time, oneOf } from '../api/resources/resource';
import { ExistingIdParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { JOB_STATES, JOB_TYPES, type JobState, type JobType } from '../import-export/jobs/job';
import { Acting, Admin } from './admin-route';
import { AdminJobsService, type AdminJobRow } from './jobs.service';

const AdminJob = resource('AdminJob', {
  id: { type: str() },
  type: { type: oneOf(...JOB_TYPES) },
  kind: { type: str() },
  place: { type: str() },
  state: { type: oneOf(...JOB_STATES) },
  progress: { type: list(json()), about: 'How far it is, a file each.' },
  fault_count: { type: int(), about: 'Records that could not be taken.' },
  error: { type: str(), about: 'Why it failed.' },
  cancel_requested: { type: bool() },
  created_by: { type: str() },
  created: { type: time() },
  started: { type: time() },
  finished: { type: time() },
});

const JobError = resource('JobFault', {
  file: { type: str() },
  line: { type: int() },
  reason: { type: str() },
});

class JobsQuery {
  @EnumParam(JOB_STATES)
  state?: JobState;
}

class JobInput {
  @EnumParam(JOB_TYPES, { required: true })
  type: JobType;

  @Text({ required: true, moderated: false, max: 50, about: 'A kind of records, or `all`.' })
  kind: string;

  @Text({ required: true, moderated: false, max: 100, about: 'A name in TRANSFER_DIR.' })
  place: string;
}

/** Imports and exports, for administrators. */
@Controller('admin/v1/jobs')
export class AdminJobsController {
  constructor(private readonly jobs: AdminJobsService) {}

  @Get()
  @Admin('Imports and exports, the latest first')
  @RespondsList('jobs', AdminJob)
  list(
    @QueryInput(JobsQuery) { state }: JobsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<AdminJobRow>> {
    return this.jobs.list(state, page);
  }

  @Get(':id')
  @Admin('An import or export, and how far it is')
  @Responds(AdminJob)
  show(@ExistingIdParam('id') id: number): Promise<AdminJobRow> {
    return this.jobs.show(id);
  }

  @Post()
  @Admin('Begin an import or export')
  @Responds(AdminJob, { status: 201 })
  start(@BodyInput(JobInput) input: JobInput, @Acting() actor: Actor): Promise<AdminJobRow> {
    return this.jobs.start(input, actor);
  }

  @Post(':id/cancel')
  @Admin('End an import or export; what it imported stays')
  @Responds(AdminJob)
  cancel(@ExistingIdParam('id') id: number, @Acting() actor: Actor): Promise<AdminJobRow> {
    return this.jobs.cancel(id, actor);
  }

  @Get(':id/report')
  @Admin('The first records that could not be taken')
  @RespondsList('faults', JobError)
  report(@ExistingIdParam('id') id: number, @Paging() page: PageQuery): Promise<Page<object>> {
    return this.jobs.report(id, page);
  }
}
