import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ADMIN_SCOPE } from '../api/access/access';
import { type ApiRequest } from '../api/http/request-context';
import { RequireUser, RequireScope, Summary } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { hooksOf } from '../idempotency/key-attempt';

/**
 * A route of the administration API: requires the scope `admin` and a user who is an administrator.
 */
export const Admin = (summary: string): MethodDecorator =>
  applyDecorators(RequireScope(ADMIN_SCOPE), RequireUser(), Summary(summary));

/** The administrator who makes the request, for the audit log. */
export const CurrentAdministrator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Actor => {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller, id } = request.context;
    // The access guard rejects such requests; without it the audit log would lack an actor.
    if (!caller.user) throw new Error('@CurrentAdministrator() needs a route with @Admin()');
    return { id: caller.user.id, name: caller.user.uid, requestId: id, hooks: hooksOf(request) };
  },
);
