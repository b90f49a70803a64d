import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Settings } from '../config/settings';
import { ANONYMOUS, CallerDirectory, tiersOf, type Caller } from './access';
import { addressOf, limitKeyOf } from './client';
import { type FramedRequest } from './frame';
import { isAnonymous, isExposed } from './https';
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
   * Counts a call as the caller and tier that its frame has. `OPTIONS` and free routes are looked
   * at only.
   *
   * @throws ApiError 111 or 112, status 429, when there were too many (D16)
   */
  async decide(request: FramedRequest, response: Response): Promise<void> {
    const { frame } = request;
    const { caller, tier, route } = frame;
    const call = {
      caller,
      address: limitKeyOf(addressOf(request)),
      // A free route has no tier: it tells of all that its caller may use.
      movie: route?.free ? tiersOf(caller).has('basic') : tier === 'basic',
      premium: tier === 'premium',
    };
    const free = route?.free === true || frame.method === 'OPTIONS';
    const decision = await (free ? this.limiter.look(call) : this.limiter.take(call));
    frame.limits = decision;
    if (!response.headersSent) setLimitHeaders(response, decision.counters);
    if (decision.refusedBy) throw tooMany(decision.refusedBy);
  }

  /**
   * Puts the caller into the frame of a request that no guard has seen, an unknown path say. One
   * that cannot be made out is anonymous: what is wrong with the request is told already.
   */
  async identify(request: FramedRequest): Promise<void> {
    const { frame } = request;
    if (frame.identified) return;
    frame.identified = true;
    // A token that came over plain HTTP is not looked at (D17).
    if (this.requireHttps && isExposed(request, frame.path, undefined)) return;
    frame.caller = await this.callerOf(request).catch(() => ANONYMOUS);
  }

  private async callerOf({ frame, headers }: FramedRequest): Promise<Caller> {
    const { authorization } = headers;
    if (authorization !== undefined && !isAnonymous(authorization)) {
      return this.callers.byAuthorization(authorization);
    }
    const { apikey } = frame.query;
    if (typeof apikey !== 'string' || apikey === '') return ANONYMOUS;
    return { ...ANONYMOUS, application: await this.callers.byApikey(apikey) };
  }
}
