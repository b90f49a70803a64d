import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';
import { isApiPath, type ApiRequest } from '../http/request-context';
import { CallLimits } from './limit.decision';

/**
 * Lets in the calls that are within their limits (D16). It stands behind the guards that find
 * caller and tier; what they refuse is counted by the error filter.
 */
@Injectable()
export class LimitGuard implements CanActivate {
  constructor(private readonly limits: CallLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    if (isApiPath(request.context.route?.path ?? request.context.path)) {
      await this.limits.decide(request, http.getResponse<Response>());
    }
    return true;
  }
}
