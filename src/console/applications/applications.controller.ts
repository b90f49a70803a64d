import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field, fields } from '../../accounts/browser-sessions.service';
import { AdminApplicationsService, type Verb } from '../../admin/applications.service';
import { ADMIN_SCOPE, LEVELS } from '../../api/access/access';
import { malformed } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { Settings } from '../../config/settings';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, textIn } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { applicationPage, applicationsPage, LIST_COUNT } from './applications.pages';
import { ConsoleApplicationsRepository } from './applications.repository';

const VERBS: readonly Verb[] = ['approve', 'decline', 'suspend'];

const pathOf = (clientId: string, did: string): string =>
  withQuery(`${CONSOLE.applications}/${encodeURIComponent(clientId)}`, { did });

/** Applications and decisions about them. */
@Controller('admin/applications')
export class ApplicationPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly applications: AdminApplicationsService,
    private readonly details: ConsoleApplicationsRepository,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const filter = { q: textIn(query.q), state: textIn(query.state) };
    const page = await this.applications.list(filter, readPage(query, { count: LIST_COUNT }));
    const summaries = await this.details.listSummaries(page.items.map((one) => one.client_id));
    sendPage(response, applicationsPage(session, filter, page, summaries));
  }

  @Get(':clientId')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const application = await this.applications.getApplication(clientId);
    const [use, profile, limits] = await Promise.all([
      this.details.listUse(clientId),
      this.details.findProfile(clientId),
      this.details.listLimitChanges(clientId),
    ]);
    const contact = this.settings.CONTACT;
    sendPage(response, applicationPage(session, { application, use, profile, limits, contact }));
  }

  @Post(':clientId/decide')
  @ConsoleRoute()
  async decide(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    // The scope admin is as powerful as an administrator.
    const dangerous =
      field(request, 'verb') === 'approve' && fields(request, 'scope').includes(ADMIN_SCOPE);
    await this.sessions.handle(request, response, { dangerous }, async ({ actor }) => {
      const verb = chosen(field(request, 'verb'), VERBS, undefined);
      if (!verb) throw malformed('unknown decision');
      const input = {
        scopes: fields(request, 'scope'),
        level: chosen(field(request, 'level'), LEVELS, undefined),
        reason: field(request, 'reason').trim(),
      };
      await this.applications.decide(verb, clientId, input, actor);
      return pathOf(clientId, 'decided');
    });
  }

  @Post(':clientId/block')
  @ConsoleRoute()
  async block(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const input = { reason: field(request, 'reason'), contact: field(request, 'contact') };
      await this.applications.block(clientId, input, actor);
      return pathOf(clientId, 'blocked');
    });
  }

  @Post(':clientId/unblock')
  @ConsoleRoute()
  async unblock(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      await this.applications.unblock(clientId, {}, actor);
      return pathOf(clientId, 'unblocked');
    });
  }

  @Post(':clientId/logo/delete')
  @ConsoleRoute()
  async deleteLogo(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      await this.applications.deleteLogo(clientId, actor);
      return pathOf(clientId, 'logo');
    });
  }

  @Post(':clientId/limit')
  @ConsoleRoute()
  async setLimit(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const text = field(request, 'per_hour').trim();
      await this.applications.setLimit(clientId, text === '' ? null : Number(text), actor);
      return pathOf(clientId, 'limit');
    });
  }
}
