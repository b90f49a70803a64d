import { Controller, Get, Post } from '@nestjs/common';
import { type CallingUser } from '../api/access/access';
import { BodyInput, EnumParam, Id, QueryInput, Text } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { resource, str, time, oneOf } from '../api/resources/resource';
import {
  Errors,
  Extension,
  ExistingIdParam,
  RequireUser,
  Paging,
  Public,
  Responds,
  RespondsJson,
  RespondsList,
  OperationId,
  Summary,
  CurrentUser,
} from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { REPORTED_KINDS, type ReportedKind } from '../moderation/reported-kinds';
import { REPORT_STATES, type ReportRow, type ReportState } from '../moderation/reports.repository';
import { CurrentAdministrator, Admin } from './admin-route';
import { ReportsService, RESOLUTIONS, type Resolution } from './reports.service';

const AdminReport = resource('AdminReport', {
  id: { type: str(), about: 'Id of the report.' },
  kind: { type: oneOf(...REPORTED_KINDS), about: 'Type of the reported content.' },
  target_id: { type: str(), about: 'Id of the reported content.' },
  reporter: { type: str(), about: 'Uid of the reporter.' },
  reason: { type: str(), about: 'Reason that the reporter stated.' },
  created: { type: time(), about: 'Time of the report.' },
  state: { type: oneOf(...REPORT_STATES), about: 'State of the report.' },
  decided: { type: time(), about: 'Time of the decision.' },
  decided_by: { type: str(), about: 'Uid of the administrator who decided; empty when open.' },
  comment: { type: str(), about: 'Comment of the administrator.' },
});

class ReportInput {
  @EnumParam(REPORTED_KINDS, { required: true, about: 'Type of the reported content.' })
  kind: ReportedKind;

  @Id({ required: true, about: 'Id of the reported content.' })
  id: number;

  @Text({
    required: true,
    max: 1000,
    moderated: false,
    about: 'Reason of the report, at most 1,000 characters.',
  })
  reason: string;
}

class ReportsQuery {
  @EnumParam(REPORT_STATES, { about: 'Reports in this state.' })
  state: ReportState = 'open';

  @EnumParam(REPORTED_KINDS, { about: 'Reports of this type of content.' })
  kind?: ReportedKind;
}

class ResolutionInput {
  @EnumParam(RESOLUTIONS, { required: true, about: '`hide`: only its author can see the content.' })
  action: Resolution;

  @Text({
    max: 1000,
    moderated: false,
    about: 'Comment for the audit log, at most 1,000 characters.',
  })
  comment = '';
}

/** Users report content to administrators. Any token of a user is accepted. */
@Controller('v2/report')
export class ReportController {
  constructor(private readonly reports: ReportsService) {}

  @Post()
  @Public()
  @RequireUser()
  @RespondsJson({ type: 'object', additionalProperties: false }, { status: 201 })
  @Extension()
  @Errors('targetNotFound')
  @OperationId('createReport')
  @Summary('Report content to administrators')
  async report(
    @BodyInput(ReportInput) { kind, id, reason }: ReportInput,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<object> {
    await this.reports.report({ kind, id, userId: user.id, reason }, hooks);
    return {};
  }
}

/** Administration of reports. */
@Controller('admin/v1/reports')
export class AdminReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get()
  @Admin('List reports by users, oldest first')
  @RespondsList('reports', AdminReport)
  list(
    @QueryInput(ReportsQuery) { state, kind }: ReportsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<ReportRow>> {
    return this.reports.list(state, kind, page);
  }

  @Get(':id')
  @Admin('A report')
  @Responds(AdminReport)
  getReport(@ExistingIdParam('id') id: number): Promise<ReportRow> {
    return this.reports.getReport(id);
  }

  @Post(':id/resolve')
  @Admin('Resolve all open reports of the same content')
  @Responds(AdminReport)
  resolve(
    @ExistingIdParam('id') id: number,
    @BodyInput(ResolutionInput) { action, comment }: ResolutionInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<ReportRow> {
    return this.reports.resolve(id, action, comment, actor);
  }
}
