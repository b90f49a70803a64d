import { Controller, Delete, Get, Put } from '@nestjs/common';
import { BodyInput, IntegerParam } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { NameParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { HIGHEST_LIMIT } from '../config/setting-types';
import { CurrentAdministrator, Admin } from './admin-route';
import { AdminLimit } from './limits.resources';
import { AdminLimitsService } from './limits.service';

class LimitInput {
  @IntegerParam({
    min: 0,
    max: HIGHEST_LIMIT,
    required: true,
    about: 'Number of requests; 0 means unlimited.',
  })
  value: number;
}

/** Administration of request limits. */
@Controller('admin/v1/limits')
export class AdminLimitsController {
  constructor(private readonly limits: AdminLimitsService) {}

  @Get()
  @Admin('List request limits')
  @RespondsList('limits', AdminLimit)
  list(@Paging() page: PageQuery): Promise<Page<object>> {
    return this.limits.list(page);
  }

  @Get(':name')
  @Admin('Get a request limit')
  @Responds(AdminLimit)
  getLimit(@NameParam('name') name: string): Promise<object> {
    return this.limits.getLimit(name);
  }

  @Put(':name')
  @Admin('Set a request limit; running servers apply it immediately')
  @Responds(AdminLimit, { status: 202 })
  set(
    @NameParam('name') name: string,
    @BodyInput(LimitInput) { value }: LimitInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<object> {
    return this.limits.set(name, value, actor);
  }

  @Delete(':name')
  @Admin('Reset a limit to the value of the settings')
  @Responds(AdminLimit, { status: 202 })
  reset(@NameParam('name') name: string, @CurrentAdministrator() actor: Actor): Promise<object> {
    return this.limits.reset(name, actor);
  }
}
