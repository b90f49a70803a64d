import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { type Response } from 'express';
import { Settings } from '../../config/settings';
import {
  ADMIN_SCOPE,
  ANONYMOUS,
  CallerDirectory,
  OPEN_SCOPES,
  type Caller,
  type CallingApplication,
} from './access';
import { unknownPath } from '../errors/error-mapping';
import { ApiError, malformed } from '../errors/errors';
import { isApiPath, type RequestContext, type ApiRequest } from '../http/request-context';
import { httpsNeeded, isAnonymous, isExposed } from '../http/https';
import { fitsWildcard, RouteTable, type Route } from '../routing/route-table';

const challenge = (error?: string, more = ''): Record<string, string> => ({
  'WWW-Authenticate': `Bearer realm="commonplace"${error === undefined ? '' : `, error="${error}"`}${more}`,
});

/** The same refusal, with a challenge: every 401 says how to do better (RFC 9110, 15.5.2). */
const challenged = ({ error, detail }: ApiError, headers: Record<string, string>): ApiError =>
  new ApiError(error, { detail, headers });

/** A call that needs a token, or a user's token, and has none (D12). */
export function loginNeeded(): ApiError {
  return new ApiError('needPermission', {
    detail: 'an access token of a user is needed',
    headers: challenge(),
  });
}

/** A call that is for administrators, by somebody who is none. */
const notForThem = (): ApiError =>
  new ApiError('needPermission', { detail: 'only administrators may do this' });

/** The path's wildcards hold what they may (specification section 1), else 1001 (D5). */
function checkPath(
  route: Route,
  params: Record<string, unknown>,
  { method, path }: RequestContext,
  routes: RouteTable,
): void {
  const fits =
    route.numeric.every((name) => fitsWildcard('id', String(params[name]))) &&
    route.named.every((name) => fitsWildcard('name', String(params[name])));
  // What is no wildcard's value here may be a path of its own, for other methods.
  if (!fits) throw unknownPath(method, path, routes);
}

/**
 * Finds out who calls, and lets in those who may: the token's scope, and the application's
 * approval for it (D12, D13, D15). Tokens seen a moment ago are answered from memory, others
 * go through passport.
 */
@Injectable()
export class AccessGuard extends AuthGuard('bearer') {
  private readonly requireHttps: boolean;

  constructor(
    private readonly callers: CallerDirectory,
    private readonly routes: RouteTable,
    settings: Settings,
  ) {
    super();
    this.requireHttps = settings.requireHttps;
  }

  // Synchronous when nothing has to be looked up: a promise per request costs a twentieth of it.
  // The mixin's own signature says promise; Nest takes either.
  override canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { context } = request;
    const route = this.routes.of(execution.getHandler());
    context.route = route;
    if (this.requireHttps && isExposed(request, route.path, route)) throw httpsNeeded();
    checkPath(route, request.params, context, this.routes);
    if (context.badCallback) throw malformed('callback must be 1 to 50 letters, digits or _, once');
    if (route.deprecation) announce(route, request, http.getResponse<Response>());

    // Beside the API, nobody is asked who they are: a probe may send what it likes.
    if (route.scope === null && !isApiPath(route.path)) return authorize(context, route, ANONYMOUS);

    const { apikey } = context.query;
    const authorization = request.headers.authorization;
    if (apikey === undefined || apikey === '') {
      if (isAnonymous(authorization)) return authorize(context, route, ANONYMOUS);
      const caller = this.callers.remembered(authorization as string);
      if (caller) return authorize(context, route, caller);
    }
    return this.lookUp(execution, context, route, apikey);
  }

  private async lookUp(
    execution: ExecutionContext,
    context: RequestContext,
    route: Route,
    apikey: unknown,
  ): Promise<boolean> {
    context.identified = true;
    const application = await this.applicationOf(apikey);
    const { authorization } = execution.switchToHttp().getRequest<ApiRequest>().headers;
    if (isAnonymous(authorization)) return authorize(context, route, { ...ANONYMOUS, application });
    await super.canActivate(execution);
    const { user: caller } = execution.switchToHttp().getRequest<{ user: Caller }>();
    return authorize(context, route, caller);
  }

  private async applicationOf(apikey: unknown): Promise<CallingApplication | undefined> {
    if (apikey === undefined || apikey === '') return undefined;
    if (typeof apikey !== 'string') throw malformed('apikey must be given once');
    try {
      return await this.callers.byApikey(apikey);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw challenged(error, challenge());
    }
  }

  /** What passport found, or why not. Anything that is no token of ours is 103 (D13). */
  override handleRequest<T>(error: unknown, caller: T | false | null): T {
    if (error instanceof ApiError && error.status === 401) {
      throw challenged(error, challenge('invalid_token'));
    }
    if (error) throw error as Error;
    if (!caller) {
      throw new ApiError('invalidAccessToken', {
        detail: 'Authorization must be: Bearer and an access token',
        headers: challenge('invalid_token'),
      });
    }
    return caller;
  }
}

/** Puts the caller into the context, if it may use the route. */
function authorize(context: RequestContext, route: Route, caller: Caller): Promise<boolean> {
  context.caller = caller;
  context.identified = true;
  if (route.scope !== null) checkScope(route, route.scope, caller, context);
  if (route.login && !caller.user) throw loginNeeded();
  if (route.scope === ADMIN_SCOPE && caller.user?.role !== 'administrator') throw notForThem();
  // Nest awaits what a guard returns; a plain true costs it nothing.
  return true as unknown as Promise<boolean>;
}

function checkScope(
  route: Route,
  scope: NonNullable<Route['scope']>,
  caller: Caller,
  context: RequestContext,
) {
  if (!caller.hasToken) {
    const reads = context.method === 'GET' || context.method === 'HEAD';
    // Tiers decide about movies, for anonymous callers too (D14).
    if (reads && (OPEN_SCOPES.has(scope) || route.tiers)) return;
    throw loginNeeded();
  }
  if (route.tiers) return;
  if (!caller.scopes.has(scope)) {
    throw new ApiError('needPermission', {
      detail: `scope ${scope} is needed`,
      headers: challenge('insufficient_scope', `, scope="${scope}"`),
    });
  }
  if (!caller.application?.scopes.has(scope)) {
    // Losing the approval for notes looks as if they were not there (D15).
    throw new ApiError(scope === 'community_basic_note' ? 'uriNotFound' : 'needPermission', {
      detail: `the application is not approved for ${scope}`,
    });
  }
}

/** The headers of a route on its way out (RFC 9745, RFC 8594). */
function announce(route: Route, request: ApiRequest, response: Response): void {
  const { deprecation } = route;
  if (!deprecation) return;
  response.setHeader('Deprecation', `@${Math.floor(deprecation.since.getTime() / 1000)}`);
  response.setHeader('Sunset', deprecation.sunset.toUTCString());
  const successor = deprecation.successor.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(request.params[name] ?? '')),
  );
  response.setHeader('Link', `<${successor}>; rel="successor-version"`);
}
