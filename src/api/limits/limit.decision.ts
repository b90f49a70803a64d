import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { ANONYMOUS, CallerDirectory, tiersOf, type Caller } from '../access/access';
import { type HeaderFields } from '../http/header-fields';
import { type ApiRequest, type RequestContext } from '../http/request-context';
import { isAnonymous, isExposed } from '../http/https';
import { setLimitHeaders, tooMany } from './limit.headers';
import { RequestLimiter, type LimitDecision, type LimitedRequest } from './limits';

/** Checks the limits of a request once, and sets the limit headers. */
@Injectable()
export class RequestLimits {
  private readonly requireHttps: boolean;

  constructor(
    private readonly limiter: RequestLimiter,
    private readonly callers: CallerDirectory,
    settings: Settings,
  ) {
    this.requireHttps = settings.requireHttps;
  }

  /**
   * Counts a request for the caller and tier in its context. `OPTIONS` and free routes do not
   * count.
   *
   * @param counts false to report the limits only
   * @returns a promise unless the counters are in memory
   * @throws ApiError 111 or 112, status 429, when a limit is exceeded (D16)
   */
  decide(request: ApiRequest, fields: HeaderFields, counts = true): Promise<void> | void {
    const { context } = request;
    const call = callOf(request);
    const apply = (decision: LimitDecision): void => {
      context.limits = decision;
      if (!fields.headersSent) setLimitHeaders(fields, decision.counters);
      if (decision.refusedBy) throw tooMany(decision.refusedBy);
    };
    const decision =
      counts && !isFree(context) ? this.limiter.consume(call) : this.limiter.read(call);
    return decision instanceof Promise ? decision.then(apply) : apply(decision);
  }

  /**
   * Counts a request of a public page, without headers of limits. Its caller does not matter.
   *
   * @throws ApiError 112, status 429, when the limit of pages is exceeded (D134)
   */
  async decidePage(request: ApiRequest): Promise<void> {
    const address = request.context.addressKey;
    const call = { caller: ANONYMOUS, address, movie: false, premium: false, page: true };
    const { refusedBy } = await this.limiter.consume(call);
    if (refusedBy) throw tooMany(refusedBy);
  }

  /**
   * Uncounts a request whose response is 304: it counts for its address only (D47). The limit
   * headers are set again.
   *
   * @returns a promise unless the counters are in memory
   */
  uncount(request: ApiRequest, fields: HeaderFields): Promise<void> | void {
    const { context } = request;
    if (!context.limits || isFree(context)) return undefined;
    // It needs no earlier response, so that it would read without a limit which records exist.
    if (request.headers['if-none-match']?.trim() === '*') return undefined;
    const apply = (decision: LimitDecision): void => {
      context.limits = decision;
      setLimitHeaders(fields, decision.counters);
    };
    const decision = this.limiter.refund(callOf(request), context.limits);
    return decision instanceof Promise ? decision.then(apply) : apply(decision);
  }

  /**
   * Identifies the caller of a request that reached no guard, for example without a route. With
   * invalid credentials the caller counts as anonymous, because the response already has another
   * error. The caller of `OPTIONS` is always anonymous.
   *
   * @throws the error of the look-up, after which the caller counts as anonymous
   */
  async identify(request: ApiRequest): Promise<void> {
    const { context } = request;
    if (context.identified) return;
    context.identified = true;
    // `OPTIONS` does not count, so that look-ups of its token or apikey would have no limit.
    if (context.method === 'OPTIONS') return;
    // Tokens over plain HTTP are ignored (D17).
    if (this.requireHttps && isExposed(request, context.path, undefined)) return;
    context.caller = ANONYMOUS;
    context.caller = await this.callerOf(request);
  }

  private async callerOf({ context, headers }: ApiRequest): Promise<Caller> {
    const { authorization } = headers;
    if (authorization !== undefined && !isAnonymous(authorization)) {
      return this.callers.byAuthorization(authorization);
    }
    const { apikey } = context.query;
    if (typeof apikey !== 'string' || apikey === '') return ANONYMOUS;
    return { ...ANONYMOUS, application: await this.callers.byApikey(apikey) };
  }
}

/** Free routes and `OPTIONS` do not count. */
const isFree = ({ route, method }: RequestContext): boolean =>
  route?.free === true || method === 'OPTIONS';

/** The properties of a request that its limits depend on. */
function callOf(request: ApiRequest): LimitedRequest {
  const { caller, tier, route } = request.context;
  return {
    caller,
    address: request.context.addressKey,
    // A free route has no tier: it reports on every tier that the caller may use.
    movie: route?.free ? tiersOf(caller).has('basic') : tier === 'basic',
    premium: tier === 'premium',
    deprecated: route?.deprecation && `${route.method} ${route.path}`,
  };
}
