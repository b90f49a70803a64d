import { Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';
import { OwnWrites } from '../consistency/own-writes';
import { isApiPath, type ApiRequest } from '../http/request-context';
import { CallLimits } from './limit.decision';

/**
 * Admits requests within their limits (D16). It runs after the guards that determine caller and
 * tier; the error filter counts the requests that those guards reject.
 */
@Injectable()
export class LimitGuard implements CanActivate {
  constructor(
    private readonly limits: CallLimits,
    @Optional() private readonly ownWrites?: OwnWrites,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    if (isApiPath(request.context.route?.path ?? request.context.path)) {
      const { method } = request;
      // Runs beside the count of the request.
      const prepared =
        method === 'GET' || method === 'HEAD'
          ? this.ownWrites?.prepare(request.context)
          : undefined;
      await this.limits.decide(request, http.getResponse<Response>());
      if (prepared) await prepared;
    }
    return true;
  }
}
