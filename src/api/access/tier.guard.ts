import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { chooseTier } from './access';
import { ApiError } from '../errors/error-codes';
import { type ApiRequest } from '../http/request-context';
import { RouteTable } from '../routing/route-table';

/** Selects the movie tier of the request, on routes with tiers (D14). */
@Injectable()
export class TierGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(execution: ExecutionContext): boolean {
    const { context } = execution.switchToHttp().getRequest<ApiRequest>();
    const allowed = (context.route ?? this.routes.of(execution.getHandler())).tiers;
    if (!allowed) return true;
    context.tier = chooseTier(context.caller, allowed);
    if (context.tier) return true;
    throw new ApiError('needPermission', {
      detail: `the request requires one of the tiers ${allowed.join(', ')}`,
      headers: context.caller.hasToken
        ? { 'WWW-Authenticate': 'Bearer realm="commonplace", error="insufficient_scope"' }
        : { 'WWW-Authenticate': 'Bearer realm="commonplace"' },
    });
  }
}
