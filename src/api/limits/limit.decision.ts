import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Settings } from '../../config/settings';
import { ANONYMOUS, CallerDirectory, tiersOf, type Caller } from '../access/access';
import { addressOf, limitKeyOf } from '../http/client-address';
import { type ApiRequest } from '../http/request-context';
import { isAnonymous, isExposed } from '../http/https';
import { setLimitHeaders, tooMany } from './limit.headers';
import { RequestLimiter } from './limits';

/** Decides about the limits of a call, once, and writes what it decided into the headers. */
@Injectable()
export class CallLimits {
  private readonly requireHttps: boolean;

  constructor(
    private readonly limiter: RequestLimiter,
    private readonly callers: CallerDirectory,
    settings: Settings,
  ) {
    this.requireHttps = settings.requireHttps;
  }

  /**
   * Counts a call as the caller and tier that its context has. `OPTIONS` and free routes are looked
   * at only.
   *
   * @throws ApiError 111 or 112, status 429, when there were too many (D16)
   */
  async decide(request: ApiRequest, response: Response): Promise<void> {
    const { context } = request;
    const { caller, tier, route } = context;
    const call = {
      caller,
      address: limitKeyOf(addressOf(request)),
      // A free route has no tier: it tells of all that its caller may use.
      movie: route?.free ? tiersOf(caller).has('basic') : tier === 'basic',
      premium: tier === 'premium',
    };
    const free = route?.free === true || context.method === 'OPTIONS';
    const decision = await (free ? this.limiter.look(call) : this.limiter.take(call));
    context.limits = decision;
    if (!response.headersSent) setLimitHeaders(response, decision.counters);
    if (decision.refusedBy) throw tooMany(decision.refusedBy);
  }

  /**
   * Puts the caller into the context of a request that no guard has seen, an unknown path say. One
   * that cannot be made out is anonymous: what is wrong with the request is told already.
   */
  async identify(request: ApiRequest): Promise<void> {
    const { context } = request;
    if (context.identified) return;
    context.identified = true;
    // A token that came over plain HTTP is not looked at (D17).
    if (this.requireHttps && isExposed(request, context.path, undefined)) return;
    context.caller = await this.callerOf(request).catch(() => ANONYMOUS);
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
