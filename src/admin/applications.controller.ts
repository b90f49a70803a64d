import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { BodyInput, QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { NameParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type AdminApplicationRow } from '../oauth/application-details.repository';
import { CurrentAdministrator, Admin } from './admin-route';
import {
  ApplicationLimitInput,
  ApplicationsQuery,
  BlockInput,
  DecisionInput,
  ReasonInput,
} from './applications.input';
import { AdminApplication, AdminApplicationDetails } from './applications.resources';
import { AdminApplicationsService } from './applications.service';

type ApplicationResponse = Promise<AdminApplicationRow>;

/** Administration of applications. */
@Controller('admin/v1/applications')
export class AdminApplicationsController {
  constructor(private readonly applications: AdminApplicationsService) {}

  @Get()
  @Admin('List applications, newest first')
  @RespondsList('applications', AdminApplication)
  list(
    @QueryInput(ApplicationsQuery) query: ApplicationsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<AdminApplicationRow>> {
    return this.applications.list(query, page);
  }

  @Get(':clientId')
  @Admin('Get an application with its requests and decisions')
  @Responds(AdminApplicationDetails)
  getApplication(@NameParam('clientId') clientId: string): ApplicationResponse {
    return this.applications.getApplication(clientId);
  }

  @Post(':clientId/approve')
  @Admin('Approve scopes or a level of an application')
  @Responds(AdminApplicationDetails)
  approve(
    @NameParam('clientId') clientId: string,
    @BodyInput(DecisionInput) input: DecisionInput,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.decide('approve', clientId, input, actor);
  }

  @Post(':clientId/decline')
  @Admin('Reject requested scopes or a requested level')
  @Responds(AdminApplicationDetails)
  decline(
    @NameParam('clientId') clientId: string,
    @BodyInput(DecisionInput) input: DecisionInput,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.decide('decline', clientId, input, actor);
  }

  @Post(':clientId/suspend')
  @Admin('Suspend approvals')
  @Responds(AdminApplicationDetails)
  suspend(
    @NameParam('clientId') clientId: string,
    @BodyInput(DecisionInput) input: DecisionInput,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.decide('suspend', clientId, input, actor);
  }

  @Post(':clientId/block')
  @Admin('Block an application: its key and tokens stop working')
  @Responds(AdminApplicationDetails)
  block(
    @NameParam('clientId') clientId: string,
    @BodyInput(BlockInput) input: BlockInput,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.block(clientId, input, actor);
  }

  @Post(':clientId/unblock')
  @Admin('Unblock an application')
  @Responds(AdminApplicationDetails)
  unblock(
    @NameParam('clientId') clientId: string,
    @BodyInput(ReasonInput) input: ReasonInput,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.unblock(clientId, input, actor);
  }

  @Put(':clientId/limit')
  @Admin("Set an application's own limit")
  @Responds(AdminApplicationDetails, { status: 202 })
  setLimit(
    @NameParam('clientId') clientId: string,
    @BodyInput(ApplicationLimitInput) { per_hour }: ApplicationLimitInput,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.setLimit(clientId, per_hour, actor);
  }

  @Delete(':clientId/limit')
  @Admin('Reset an application to the limit of its level')
  @Responds(AdminApplicationDetails, { status: 202 })
  resetLimit(
    @NameParam('clientId') clientId: string,
    @CurrentAdministrator() actor: Actor,
  ): ApplicationResponse {
    return this.applications.setLimit(clientId, null, actor);
  }
}
