import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Response } from 'express';
import { Settings } from '../config/settings';
import { toApiError } from './error-mapping';
import { writeError } from './error-body';
import { Overloaded, type ApiError } from './errors';
import { frameOf, isApiPath, type Frame, type FramedRequest } from './frame';
import { httpsNeeded, isExposed } from './https';
import { CallLimits } from './limit.decision';
import { Overload } from './overload';
import { RouteTable } from './route-table';

/**
 * Writes every error of the service: those of guards, handlers, body parsers and unknown paths
 * alike, in the frame of the request (D4, D6).
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly requireHttps: boolean;

  constructor(
    private readonly routes: RouteTable,
    private readonly limits: CallLimits,
    private readonly overload: Overload,
    settings: Settings,
  ) {
    this.requireHttps = settings.requireHttps;
  }

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FramedRequest>();
    const response = http.getResponse<Response>();
    const frame = (request.frame ??= frameOf(request));
    const error = this.errorOf(exception, request, frame);
    frame.refusal = error;
    if (error instanceof Overloaded) this.overload.queueWasFull(frame);
    if (response.headersSent) {
      // The answer is on its way: breaking it off is the only honest thing left.
      response.destroy();
    } else if (frame.limits || !isApiPath(frame.path)) {
      writeError(frame, response, error);
    } else {
      void this.counted(error, request, response).then((outcome) => {
        if (!response.headersSent) writeError(frame, response, outcome);
      });
    }
  }

  /** Counts a call that was refused before the limits were looked at; it may be one too many. */
  private async counted(
    error: ApiError,
    request: FramedRequest,
    response: Response,
  ): Promise<ApiError> {
    try {
      await this.limits.identify(request);
      await this.limits.decide(request, response);
      return error;
    } catch (refusal) {
      return toApiError(refusal, request.frame);
    }
  }

  private errorOf(exception: unknown, request: FramedRequest, frame: Frame): ApiError {
    // Where no guard has stood, a token is refused all the same.
    if (this.requireHttps && !frame.route && isExposed(request, frame.path, undefined)) {
      return httpsNeeded();
    }
    return toApiError(exception, frame, this.routes);
  }
}
