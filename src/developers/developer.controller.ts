import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { BrowserSessionService } from '../accounts/browser-sessions.service';
import { type ApiRequest } from '../api/http/request-context';
import { ApplicationsService } from '../oauth/applications.service';
import { PATHS } from '../web/layout';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { PageRoute } from '../web/page-route';
import { formOf } from './application-form';
import { DeveloperLog } from './developer-log';
import { DevelopersService } from './developers.service';
import { developersMessages } from './messages/messages';
import { NewSecrets } from './new-secrets';
import { OwnApplications } from './own-applications';
import { developerPage, EMPTY_FORM } from './pages/list.page';
import { pathOf } from './paths';

/** The list of a developer's applications. */
@Controller('service/developer')
@UseFilters(PageFilter)
export class DeveloperController {
  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly own: OwnApplications,
    private readonly developers: DevelopersService,
    private readonly applications: ApplicationsService,
    private readonly newSecrets: NewSecrets,
    private readonly developerLog: DeveloperLog,
  ) {}

  @Get()
  @PageRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.openSignedIn(request, response, PATHS.developer);
    if (!session) return;
    const own = await this.applications.listApplicationsOfOwner(session.user.id);
    const isDeleted = request.context.query.did === 'delete';
    const notice = isDeleted ? developersMessages(session.messages.lang).deleted : undefined;
    sendPage(response, developerPage(session, own, EMPTY_FORM, { notice }));
  }

  /** The address of the form, for browsers that open it again. */
  @Get('applications')
  @PageRoute()
  form(@Res() response: Response): void {
    redirect(response, PATHS.developer);
  }

  @Post('applications')
  @PageRoute()
  async create(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.own.signedInForm(request, response);
    const form = formOf(request);
    const { user, messages } = session;
    const result = await this.developers.create(
      messages.developer,
      user,
      form,
      (executor, { clientId, name, scopes }) =>
        this.developerLog.log(executor, session, 'create', clientId, { name, scopes }),
    );
    if ('error' in result) {
      const own = await this.applications.listApplicationsOfOwner(session.user.id);
      const page = developerPage(session, own, form, { error: result.error });
      sendPage(response, page, { status: 400 });
      return;
    }
    const { clientId, clientSecret: secret } = result.value;
    if (secret !== undefined) this.newSecrets.storeInCookie(session, clientId, secret);
    redirect(response, `${pathOf(clientId, 'keys')}?did=create`);
  }
}
