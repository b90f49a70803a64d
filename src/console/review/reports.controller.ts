import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { ReportsService, RESOLUTIONS } from '../../admin/reports.service';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { REPORT_STATES } from '../../moderation/reports.repository';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen } from '../input';
import { CONSOLE } from '../paths';
import { ContentRepository } from './content.repository';
import { UndoableDecisionsRepository } from './undoable.repository';
import { handleDecisions } from './decisions';
import { reportsPage, REPORT_COUNT } from './reports.pages';

/** Reports by users. */
@Controller('admin/reports')
export class ReportPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly reports: ReportsService,
    private readonly content: ContentRepository,
    private readonly undoable: UndoableDecisionsRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const state = chosen(query.state, REPORT_STATES, 'open');
    const page = await this.reports.listReportedContent(
      state,
      readPage(query, { count: REPORT_COUNT }),
    );
    const [find, undoable] = await Promise.all([
      this.content.findContent(page.items),
      this.undoable.listReportDecisions(session.user.uid),
    ]);
    sendPage(response, reportsPage(session, { state, page, find, undoable }), { hasScript: true });
  }

  @Post('resolve')
  @ConsoleRoute()
  async resolve(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await handleDecisions(this.sessions, request, response, {
      list: CONSOLE.reports,
      decisions: RESOLUTIONS,
      decide: (decision, id, actor, comment) => this.reports.resolve(id, decision, comment, actor),
      undo: (id, actor) => this.reports.reopen(id, actor),
    });
  }
}
