import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ADMIN_SCOPE } from '../api/access/access';
import { type ApiRequest } from '../api/http/request-context';
import { RequireUser, RequireScope, Summary } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';

/** A route of the administration API: the scope `admin`, and a user who is an administrator. */
export const Admin = (summary: string): MethodDecorator =>
  applyDecorators(RequireScope(ADMIN_SCOPE), RequireUser(), Summary(summary));

/** The administrator who makes the request, for the log of changes. */
export const Acting = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const { caller, id } = context.switchToHttp().getRequest<ApiRequest>().context;
  // Unreachable behind the access guard; without it nobody may pass for somebody.
  if (!caller.user) throw new Error('a route without @Admin() asks for its administrator');
  return { id: caller.user.id, name: caller.user.uid, requestId: id };
});
