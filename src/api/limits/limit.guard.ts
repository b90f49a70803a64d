import { Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';
import { OwnWrites } from '../consistency/own-writes';
import { type HeaderFields } from '../http/header-fields';
import { isApiPath, type ApiRequest } from '../http/request-context';
import { isSafe } from '../http/safe-methods';
import { causeTestFault } from './test-fault';
import { RequestLimits } from './limit.decision';

/**
 * Admits requests within their limits (D16). It runs after the guards that determine caller and
 * tier; the error filter counts the requests that those guards reject.
 */
@Injectable()
export class LimitGuard implements CanActivate {
  constructor(
    private readonly limits: RequestLimits,
    @Optional() private readonly ownWrites?: OwnWrites,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await this.admit(http.getRequest<ApiRequest>(), http.getResponse<Response>());
    return true;
  }

  /**
   * Counts a request of the API, and reads what its caller has written.
   *
   * @param fields where to set the headers of the limits
   * @returns a promise unless both are in memory
   * @throws ApiError 111 or 112, status 429, when a limit is exceeded (D16)
   */
  admit(request: ApiRequest, fields: HeaderFields): Promise<void> | void {
    const { context, method } = request;
    if (!isApiPath(context.route?.path ?? context.path)) return undefined;
    const counted = this.limits.decide(request, fields);
    // Runs beside the count of the request.
    const prepared = isSafe(method) ? this.ownWrites?.prepare(context) : undefined;
    const admitted = prepared ? both(counted, prepared) : counted;
    if (!context.caller.application?.isTest) return admitted;
    return Promise.resolve(admitted).then(() => causeTestFault(request, fields));
  }
}

/** Waits for both at once: a rejection of one that nobody waits for yet would end the process. */
async function both(one: Promise<void> | void, other: Promise<void>): Promise<void> {
  await Promise.all([one, other]);
}
