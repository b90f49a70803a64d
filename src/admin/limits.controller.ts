import { Controller, Delete, Get, Put } from '@nestjs/common';
import { BodyInput, IntegerParam } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { NameParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { HIGHEST_LIMIT } from '../config/setting-types';
import { Acting, Admin } from './admin-route';
import { AdminLimit } from './limits.resources';
import { AdminLimitsService } from './limits.service';

class LimitInput {
  @IntegerParam({ min: 0, max: HIGHEST_LIMIT, required: true, about: 'Calls; 0 is no limit.' })
  value: number;
}

/** Limits of calls, for administrators. */
@Controller('admin/v1/limits')
export class AdminLimitsController {
  constructor(private readonly limits: AdminLimitsService) {}

  @Get()
  @Admin('Every limit of calls')
  @RespondsList('limits', AdminLimit)
  list(@Paging() page: PageQuery): Promise<Page<object>> {
    return this.limits.list(page);
  }

  @Get(':name')
  @Admin('A limit of calls')
  @Responds(AdminLimit)
  show(@NameParam('name') name: string): Promise<object> {
    return this.limits.show(name);
  }

  @Put(':name')
  @Admin('Set a limit of calls; servers follow at once')
  @Responds(AdminLimit, { status: 202 })
  set(
    @NameParam('name') name: string,
    @BodyInput(LimitInput) { value }: LimitInput,
    @Acting() actor: Actor,
  ): Promise<object> {
    return this.limits.set(name, value, actor);
  }

  @Delete(':name')
  @Admin('Make a limit what the settings say')
  @Responds(AdminLimit, { status: 202 })
  reset(@NameParam('name') name: string, @Acting() actor: Actor): Promise<object> {
    return this.limits.reset(name, actor);
  }
}
