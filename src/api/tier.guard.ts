import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { chooseTier } from './access';
import { ApiError } from './errors';
import { type FramedRequest } from './frame';
import { RouteTable } from './route-table';

/** Chooses the movie tier that applies, on routes that have tiers (D14). */
@Injectable()
export class TierGuard implements CanActivate {
  constructor(private readonly routes: RouteTable) {}

  canActivate(context: ExecutionContext): boolean {
    const { frame } = context.switchToHttp().getRequest<FramedRequest>();
    const allowed = (frame.route ?? this.routes.of(context.getHandler())).tiers;
    if (!allowed) return true;
    frame.tier = chooseTier(frame.caller, allowed);
    if (frame.tier) return true;
    throw new ApiError('needPermission', {
      detail: `one of the tiers ${allowed.join(', ')} is needed`,
      headers: frame.caller.hasToken
        ? { 'WWW-Authenticate': 'Bearer realm="commonplace", error="insufficient_scope"' }
        : { 'WWW-Authenticate': 'Bearer realm="commonplace"' },
    });
  }
}
