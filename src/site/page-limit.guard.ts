import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type ApiRequest } from '../api/http/request-context';
import { RequestLimits } from '../api/limits/limit.decision';
import { PageMemory } from './page-memory';

/** Admits requests of public pages within the limit of their address (D134). */
@Injectable()
export class PageLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RequestLimits,
    private readonly memory: PageMemory,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    await this.limits.decidePage(request);
    this.memory.begin(request);
    return true;
  }
}
