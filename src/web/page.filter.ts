import { Catch, Injectable, type ArgumentsHost } from '@nestjs/common';
import { type Response } from 'express';
import { ErrorFilter } from '../api/errors/error.filter';
import { toApiError } from '../api/errors/error-mapping';
import { type ApiError } from '../api/errors/errors';
import { type ApiRequest } from '../api/http/request-context';
import { CallLimits } from '../api/limits/limit.decision';
import { Overload } from '../api/http/overload';
import { RouteTable } from '../api/routing/route-table';
import { Settings } from '../config/settings';
import { html } from './html';
import { messagesFor } from './language';
import { layout } from './layout';
import { sendPage, setPageHeaders } from './page-response';
import { type Messages } from './messages.en';

/** Whether the client accepts HTML; other clients get JSON. */
export const wantsPage = (request: ApiRequest): boolean =>
  /\btext\/html\b/i.test(request.headers.accept ?? '');

function explain(messages: Messages, error: ApiError): string {
  const { error: words } = messages;
  if (error.status === 429) return words.tooMany(Number(error.headers['Retry-After'] ?? 60));
  if (error.status === 503) return words.busy;
  if (error.error === 'invalidRequestSource') return words.expired;
  if (error.error === 'uriNotFound') return words.notFound;
  return error.detail ?? error.row.msg;
}

/** Error responses of page routes: HTML for browsers, the API's JSON for other clients. */
@Catch()
@Injectable()
export class PageFilter extends ErrorFilter {
  constructor(
    private readonly table: RouteTable,
    limits: CallLimits,
    overload: Overload,
    settings: Settings,
  ) {
    super(table, limits, overload, settings);
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    if (response.headersSent || !wantsPage(request)) {
      if (!response.headersSent) setPageHeaders(response);
      super.catch(exception, host);
      return;
    }
    const error = toApiError(exception, request.context, this.table);
    request.context.refusal = error;
    const messages = messagesFor(request);
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const body = html`<h1>${messages.error.title}</h1>
      <p class="error" role="alert">${explain(messages, error)}</p>
      <p class="soft">${error.row.code} ${error.row.msg}</p>
      <p><a href="/">${messages.error.back}</a></p>`;
    const visitor = { messages, uid: undefined, csrfToken: '' };
    sendPage(response, layout(visitor, messages.error.title, body), { status: error.status });
  }
}
