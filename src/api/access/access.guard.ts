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
import { unknownPath } from '../errors/exception-to-error';
import { ApiError, malformed } from '../errors/error-codes';
import { isApiPath, type RequestContext, type ApiRequest } from '../http/request-context';
import { httpsNeeded, isAnonymous, isExposed } from '../http/https';
import { isSafe } from '../http/safe-methods';
import { MergedIds } from '../routing/merged-ids';
import { fitsWildcard, RouteTable, type Route } from '../routing/route-table';

/** The challenge of an error with 401 (RFC 6750, section 3). */
export const challenge = (error?: string, more = ''): Record<string, string> => ({
  'WWW-Authenticate': `Bearer realm="commonplace"${error === undefined ? '' : `, error="${error}"`}${more}`,
});

/** Adds a challenge to an error, which every 401 requires (RFC 9110, 15.5.2). */
const withWwwAuthenticate = (
  { error, detail, client }: ApiError,
  headers: Record<string, string>,
): ApiError => new ApiError(error, { detail, headers, client });

/** The error for a request without the (user's) token that its route requires (D12). */
export function loginNeeded(): ApiError {
  return new ApiError('needPermission', {
    detail: 'the request requires an access token of a user',
    headers: challenge(),
  });
}

/** The error for a user without the role administrator. */
export const administratorsOnly = (): ApiError =>
  new ApiError('needPermission', { detail: 'the request requires the role administrator' });

/** Checks the values of the path's wildcards (specification section 1), else throws 1001 (D5). */
function checkPath(
  route: Route,
  params: Record<string, unknown>,
  { method, path }: RequestContext,
  routes: RouteTable,
): void {
  const fits =
    route.numeric.every((name) => fitsWildcard('id', String(params[name]))) &&
    route.named.every((name) => fitsWildcard('name', String(params[name])));
  // A segment that is no valid wildcard value may be a literal path of other methods.
  if (!fits) throw unknownPath(method, path, routes);
}

/**
 * Identifies the caller and checks its access: the token's scope, and the application's approval
 * for that scope (D12, D13, D15). Cached tokens need no lookup; passport validates all others.
 */
@Injectable()
export class AccessGuard extends AuthGuard('bearer') {
  private readonly requireHttps: boolean;

  constructor(
    private readonly callers: CallerDirectory,
    private readonly routes: RouteTable,
    private readonly merged: MergedIds,
    settings: Settings,
  ) {
    super();
    this.requireHttps = settings.requireHttps;
  }

  // Synchronous without a lookup: a promise takes 5 % of the time of a request. The signature of
  // the mixin requires a promise, but Nest accepts both.
  override canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { context } = request;
    const route = this.routes.of(execution.getHandler());
    context.route = route;
    if (this.requireHttps && isExposed(request, route.path, route)) throw httpsNeeded();
    checkPath(route, request.params, context, this.routes);
    this.merged.follow(route.merging, request.params);
    if (context.badCallback)
      throw malformed('callback must occur once, with 1 to 50 letters, digits or _');
    if (route.deprecation) announce(route, request, http.getResponse<Response>());
    return this.identify(execution, route);
  }

  /**
   * Identifies the caller again and checks its access as for a new request. Its token may have been
   * revoked, or its rights withdrawn, since {@link canActivate}.
   *
   * @returns a promise unless the caller is in memory
   */
  recheck(execution: ExecutionContext): Promise<boolean> {
    return this.identify(execution, this.routes.of(execution.getHandler()));
  }

  private identify(execution: ExecutionContext, route: Route): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<ApiRequest>();
    const { context } = request;
    // Public routes outside the API ignore credentials, so that probes may send any.
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
    if (typeof apikey !== 'string') throw malformed('apikey must occur only once');
    try {
      return await this.callers.byApikey(apikey);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw withWwwAuthenticate(error, challenge());
    }
  }

  /** The caller that passport found, or its error. A token that is not ours is 103 (D13). */
  override handleRequest<T>(error: unknown, caller: T | false | null): T {
    if (error instanceof ApiError && error.status === 401) {
      throw withWwwAuthenticate(error, challenge('invalid_token'));
    }
    if (error) throw error as Error;
    if (!caller) {
      throw new ApiError('invalidAccessToken', {
        detail: 'Authorization must be Bearer and an access token',
        headers: challenge('invalid_token'),
      });
    }
    return caller;
  }
}

/** Puts the caller into the request context if it may use the route. */
function authorize(context: RequestContext, route: Route, caller: Caller): Promise<boolean> {
  context.caller = caller;
  context.identified = true;
  if (route.scope !== null) checkScope(route, route.scope, caller, context);
  if (route.login && !caller.user) throw loginNeeded();
  if (route.scope === ADMIN_SCOPE && caller.user?.role !== 'administrator')
    throw administratorsOnly();
  // Nest awaits the result of a guard; `true` needs no promise.
  return true as unknown as Promise<boolean>;
}

function checkScope(
  route: Route,
  scope: NonNullable<Route['scope']>,
  caller: Caller,
  context: RequestContext,
) {
  if (!caller.hasToken) {
    // For movies the tiers decide, also for anonymous callers (D14).
    if (isSafe(context.method) && (OPEN_SCOPES.has(scope) || route.tiers)) return;
    throw loginNeeded();
  }
  if (route.tiers) return;
  if (!caller.scopes.has(scope)) {
    throw new ApiError('needPermission', {
      detail: `the request requires the scope ${scope}`,
      headers: challenge('insufficient_scope', `, scope="${scope}"`),
    });
  }
  if (!caller.application?.scopes.has(scope)) {
    // Without the approval for notes, notes appear not to exist (D15).
    throw new ApiError(scope === 'community_basic_note' ? 'uriNotFound' : 'needPermission', {
      detail: `the application is not approved for ${scope}`,
    });
  }
}

/**
 * Maximum length of the address of a successor. Proxies limit the headers of a response, and `Link`
 * is set before the parameters in the path are checked.
 */
const MAX_SUCCESSOR_LENGTH = 1000;

/** Sets the headers of a deprecated route (RFC 9745, RFC 8594). */
function announce(route: Route, request: ApiRequest, response: Response): void {
  const { deprecation } = route;
  if (!deprecation) return;
  response.setHeader('Deprecation', `@${Math.floor(deprecation.since.getTime() / 1000)}`);
  response.setHeader('Sunset', deprecation.sunset.toUTCString());
  const successor = deprecation.successor.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(request.params[name] ?? '')),
  );
  if (successor.length <= MAX_SUCCESSOR_LENGTH)
    response.setHeader('Link', `<${successor}>; rel="successor-version"`);
}
