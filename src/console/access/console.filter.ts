import { Catch, Injectable } from '@nestjs/common';
import { type ErrorPage } from '../../api/errors/error-body';
import { type ApiRequest } from '../../api/http/request-context';
import { endErrorPage } from '../../web/error-page';
import { PageFilter } from '../../web/page.filter';
import { failurePage } from './access.pages';
import { findConsoleSession } from './console-sessions.service';

/** Shows errors to administrators in the layout of the console, to others the general error page. */
@Catch()
@Injectable()
export class ConsoleFilter extends PageFilter {
  protected override pageOf(request: ApiRequest): ErrorPage | undefined {
    const session = findConsoleSession(request);
    if (!session) return undefined;
    return (_context, response, error) => {
      endErrorPage(response, failurePage(session, error), error.status);
    };
  }
}
