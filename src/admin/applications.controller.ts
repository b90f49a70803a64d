import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { BodyInput, QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { NameParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { Acting, Admin } from './admin-route';
import {
  ApplicationLimitInput,
  ApplicationsQuery,
  DecisionInput,
  ReasonInput,
} from './applications.input';
import {
  AdminApplication,
  AdminApplicationDetails,
  type AdminApplicationRow,
} from './applications.resources';
import { AdminApplicationsService } from './applications.service';

type Answer = Promise<AdminApplicationRow>;

/** Applications, for administrators. */
@Controller('admin/v1/applications')
export class AdminApplicationsController {
  constructor(private readonly applications: AdminApplicationsService) {}

  @Get()
  @Admin('Applications, the latest first')
  @RespondsList('applications', AdminApplication)
  list(
    @QueryInput(ApplicationsQuery) query: ApplicationsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<AdminApplicationRow>> {
    return this.applications.list(query, page);
  }

  @Get(':clientId')
  @Admin('An application, with what was asked and decided')
  @Responds(AdminApplicationDetails)
  show(@NameParam('clientId') clientId: string): Answer {
    return this.applications.show(clientId);
  }

  @Post(':clientId/approve')
  @Admin('Let an application use scopes, or give it a level')
  @Responds(AdminApplicationDetails)
  approve(
    @NameParam('clientId') clientId: string,
    @BodyInput(DecisionInput) input: DecisionInput,
    @Acting() actor: Actor,
  ): Answer {
    return this.applications.decide('approve', clientId, input, actor);
  }

  @Post(':clientId/decline')
  @Admin('Say no to what an application asked for')
  @Responds(AdminApplicationDetails)
  decline(
    @NameParam('clientId') clientId: string,
    @BodyInput(DecisionInput) input: DecisionInput,
    @Acting() actor: Actor,
  ): Answer {
    return this.applications.decide('decline', clientId, input, actor);
  }

  @Post(':clientId/suspend')
  @Admin('Take approvals away for the time being')
  @Responds(AdminApplicationDetails)
  suspend(
    @NameParam('clientId') clientId: string,
    @BodyInput(DecisionInput) input: DecisionInput,
    @Acting() actor: Actor,
  ): Answer {
    return this.applications.decide('suspend', clientId, input, actor);
  }

  @Post(':clientId/block')
  @Admin('Block an application: its key and its tokens stop working')
  @Responds(AdminApplicationDetails)
  block(
    @NameParam('clientId') clientId: string,
    @BodyInput(ReasonInput) input: ReasonInput,
    @Acting() actor: Actor,
  ): Answer {
    return this.applications.setBlocked(clientId, true, input, actor);
  }

  @Post(':clientId/unblock')
  @Admin('Let a blocked application in again')
  @Responds(AdminApplicationDetails)
  unblock(
    @NameParam('clientId') clientId: string,
    @BodyInput(ReasonInput) input: ReasonInput,
    @Acting() actor: Actor,
  ): Answer {
    return this.applications.setBlocked(clientId, false, input, actor);
  }

  @Put(':clientId/limit')
  @Admin('Give an application a limit of its own')
  @Responds(AdminApplicationDetails, { status: 202 })
  setLimit(
    @NameParam('clientId') clientId: string,
    @BodyInput(ApplicationLimitInput) { per_hour }: ApplicationLimitInput,
    @Acting() actor: Actor,
  ): Answer {
    return this.applications.setLimit(clientId, per_hour, actor);
  }

  @Delete(':clientId/limit')
  @Admin('Give an application the limit of its level again')
  @Responds(AdminApplicationDetails, { status: 202 })
  resetLimit(@NameParam('clientId') clientId: string, @Acting() actor: Actor): Answer {
    return this.applications.setLimit(clientId, null, actor);
  }
}
