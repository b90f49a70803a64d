import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Response } from 'express';
import { allowLargeForm, isSmallForm } from '../../api/body/large-forms';
import { type ApiRequest } from '../../api/http/request-context';
import { ConsoleSessions } from './console-sessions.service';

/**
 * Lets administrators send forms with long texts. Their session is checked before the body is read;
 * forms of others have the limit of public routes. The handler rejects forms without a session.
 */
@Injectable()
export class LargeFormsGuard implements CanActivate {
  constructor(private readonly sessions: ConsoleSessions) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    if (request.method !== 'POST' || isSmallForm(request)) return true;
    if (await this.sessions.isAdministrator(request, http.getResponse<Response>()))
      allowLargeForm(request);
    return true;
  }
}
