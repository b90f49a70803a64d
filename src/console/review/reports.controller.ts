import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { ReportsService, RESOLUTIONS } from '../../admin/reports.service';
import { malformed } from '../../api/errors/errors';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { REPORT_STATES } from '../../moderation/reports.repository';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, requireId } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { ReportedContentsRepository } from './reported-contents.repository';
import { reportsPage, REPORT_COUNT } from './reports.pages';

/** Reports by users. */
@Controller('admin/reports')
export class ReportPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly reports: ReportsService,
    private readonly contents: ReportedContentsRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { query } = request.context;
    const state = chosen(query.state, REPORT_STATES, 'open');
    const page = await this.reports.list(
      state,
      undefined,
      readPage(query, { count: REPORT_COUNT }),
    );
    const contents = await this.contents.listContents(page.items.map(({ id }) => id));
    sendPage(response, reportsPage(visit, state, page, contents), { hasScript: true });
  }

  @Post('resolve')
  @ConsoleRoute()
  async resolve(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const action = chosen(field(request, 'action'), RESOLUTIONS, undefined);
      if (!action) throw malformed('unknown action');
      const id = requireId(field(request, 'id'));
      await this.reports.resolve(id, action, field(request, 'comment'), actor);
      return withQuery(CONSOLE.reports, { did: 'report' });
    });
  }
}
