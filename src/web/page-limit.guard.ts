import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type ApiRequest } from '../api/http/request-context';
import { RequestLimits } from '../api/limits/limit.decision';

/** Admits requests of pages within the limit of pages of their address (D134). */
@Injectable()
export class PageLimitGuard implements CanActivate {
  constructor(private readonly limits: RequestLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.limits.decidePage(context.switchToHttp().getRequest<ApiRequest>());
    return true;
  }
}
