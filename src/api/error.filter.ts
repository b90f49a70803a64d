import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Response } from 'express';
import { Settings } from '../config/settings';
import { toApiError } from './error-mapping';
import { type ApiError } from './errors';
import {
  frameBody,
  frameOf,
  isApiPath,
  PROBLEM_TYPE,
  type Frame,
  type FramedRequest,
} from './frame';
import { httpsNeeded, isExposed } from './https';
import { CallLimits } from './limit.decision';
import { RouteTable } from './route-table';

/** Characters of a detail; each may take nine bytes of the header. */
const DETAIL_CHARACTERS = 200;

/** Text that a header can carry: printable ASCII; the rest percent-encoded (D4). */
export function asciiHeader(text: string): string {
  return text
    .slice(0, DETAIL_CHARACTERS)
    .toWellFormed()
    .replace(/[^\x20-\x7e]+/g, (run) => encodeURIComponent(run));
}

/** RFC 6749's members for an error that was not made for them: a body that cannot be read, say. */
function oauthMembers(error: ApiError): Record<string, string> {
  const busy = error.status === 503 || error.status === 429;
  const ours = error.status >= 500 ? 'server_error' : 'invalid_request';
  return {
    error: busy ? 'temporarily_unavailable' : ours,
    error_description: asciiHeader(error.detail ?? error.row.msg).replace(/["\\]/g, "'"),
  };
}

/** The members of an error, and those of RFC 9457 where the caller asked for them (D4). */
export function errorBody(frame: Frame, error: ApiError): Record<string, unknown> {
  const body = {
    ...(frame.route?.oauthErrors ? oauthMembers(error) : {}),
    ...error.members,
    msg: error.row.msg,
    code: error.row.code,
    request: `${frame.method} ${frame.path}`,
  };
  if (!frame.problem) return body;
  return {
    type: `urn:commonplace:error:${error.row.code}`,
    title: error.row.msg,
    status: error.status,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...body,
  };
}

/** Writes an error in the frame of its request (D4, D6). */
export function writeError(frame: Frame, response: Response, error: ApiError): void {
  frame.refusal = error;
  response.append('Vary', 'Accept');
  if (error.detail !== undefined) response.setHeader('X-Error-Detail', asciiHeader(error.detail));
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  const type = frame.problem ? PROBLEM_TYPE : undefined;
  const { body, contentType } = frameBody(frame, errorBody(frame, error), type);
  response.statusCode = error.status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

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
