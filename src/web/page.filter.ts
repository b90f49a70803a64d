import { Catch, Injectable, type ArgumentsHost } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ErrorFilter } from '../api/errors/error.filter';
import { prefersHtml } from '../api/http/prefers-html';
import { setPageHeaders } from './page-response';

/** Writes errors of page routes, whose JSON also has the headers of pages. */
@Catch()
@Injectable()
export class PageFilter extends ErrorFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const isPage = prefersHtml(http.getRequest<Request>().headers.accept);
    if (!response.headersSent && !isPage) setPageHeaders(response);
    super.catch(exception, host);
  }
}
