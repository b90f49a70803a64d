import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Response } from 'express';
import { Settings } from '../../config/settings';
import { toApiError } from './exception-to-error';
import { writeError, type ErrorPage } from './error-body';
import { Overloaded, type ApiError } from './error-codes';
import {
  createRequestContext,
  isApiPath,
  type RequestContext,
  type ApiRequest,
} from '../http/request-context';
import { httpsNeeded, isExposed } from '../http/https';
import { RequestLimits } from '../limits/limit.decision';
import { Overload } from '../http/overload';
import { RouteTable } from '../routing/route-table';

/** The address whose share was full; empty if it was that of an application, which others may share. */
const addressOfFullShare = ({ authenticatedClient, addressKey }: RequestContext): string =>
  authenticatedClient === undefined ? addressKey : '';

/**
 * Writes every error response, for errors of guards, handlers, body parsers and missing routes
 * (D4, D6).
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly requireHttps: boolean;

  constructor(
    private readonly routes: RouteTable,
    private readonly limits: RequestLimits,
    private readonly overload: Overload,
    settings: Settings,
  ) {
    this.requireHttps = settings.requireHttps;
  }

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const context = (request.context ??= createRequestContext(request));
    const error = this.errorOf(exception, request, context);
    context.refusal = error;
    if (error instanceof Overloaded) {
      this.overload.queueWasFull(context, error.isPart ? addressOfFullShare(context) : undefined);
    }
    if (response.headersSent) {
      // The response has begun: only a broken connection can tell the client that it is incomplete.
      response.destroy();
    } else if (context.limits || !isApiPath(context.path)) {
      writeError(context, response, error, this.pageOf(request));
    } else {
      void this.counted(error, request, response).then((outcome) => {
        if (!response.headersSent) writeError(context, response, outcome);
      });
    }
  }

  /** The page of errors of a request; undefined for the one of all errors. */
  protected pageOf(_request: ApiRequest): ErrorPage | undefined {
    return undefined;
  }

  /**
   * Counts a request that was rejected before the limit check. It may exceed a limit itself. It does
   * not count while its caller cannot be looked up: otherwise the callers of an address would use up
   * what anonymous requests of the address may do in an hour.
   */
  private async counted(
    error: ApiError,
    request: ApiRequest,
    response: Response,
  ): Promise<ApiError> {
    try {
      const isCounted = error.status !== 503 && (await this.canIdentifyCaller(request));
      await this.limits.decide(request, response, isCounted);
      return error;
    } catch (refusal) {
      return toApiError(refusal, request.context);
    }
  }

  /** Whether the caller of a request is looked up, or has invalid credentials. */
  private async canIdentifyCaller(request: ApiRequest): Promise<boolean> {
    try {
      await this.limits.identify(request);
      return true;
    } catch (failure) {
      return toApiError(failure, request.context).status !== 503;
    }
  }

  private errorOf(exception: unknown, request: ApiRequest, context: RequestContext): ApiError {
    // No guard ran for this request, but a token over plain HTTP is rejected all the same (D17).
    if (this.requireHttps && !context.route && isExposed(request, context.path, undefined)) {
      return httpsNeeded();
    }
    return toApiError(exception, context, this.routes);
  }
}
