import { Injectable, type ExecutionContext } from '@nestjs/common';
import { RequestLimits } from '../api/limits/limit.decision';
import { type ApiRequest } from '../api/http/request-context';
import { PageLimitGuard } from '../web/page-limit.guard';
import { PageMemory } from './page-memory';

/** Admits requests of public pages within the limit of their address (D134), before their reads. */
@Injectable()
export class SitePageGuard extends PageLimitGuard {
  constructor(
    limits: RequestLimits,
    private readonly memory: PageMemory,
  ) {
    super(limits);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    this.memory.begin(context.switchToHttp().getRequest<ApiRequest>());
    return true;
  }
}
