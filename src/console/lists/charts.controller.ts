import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminChartsService } from '../../admin/charts.service';
import { malformed } from '../../api/errors/errors';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { CHART_NAMES, COMPUTED } from '../../movies/chart-names';
import { sendPage } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, requireDay, requireId } from '../input';
import { CONSOLE } from '../paths';
import { chartPage, chartsPage, LIST_COUNT } from './charts.pages';

/** The ids in a text with one in each line. */
const entriesIn = (text: string): { rank: number; subject_id: string }[] =>
  text
    .split(/\s+/)
    .filter((id) => id !== '')
    .map((id, at) => ({ rank: at + 1, subject_id: String(requireId(id)) }));

/** The chart, day and city in a form. @throws ApiError 999 for an invalid one */
function chartIn<Name extends string>(request: ApiRequest, names: readonly Name[]) {
  const name = chosen(field(request, 'name'), names, undefined);
  if (!name) throw malformed('unknown chart');
  const city = field(request, 'city').trim();
  const date = requireDay(field(request, 'date'), 'date');
  return { name, date, ...(city !== '' && { city }) };
}

/** Snapshots of charts. */
@Controller('admin/charts')
export class ChartPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly charts: AdminChartsService,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { query } = request.context;
    const name = chosen(query.name, CHART_NAMES, undefined);
    const page = await this.charts.list(name, readPage(query, { count: LIST_COUNT }));
    sendPage(response, chartsPage(visit, name ?? '', page));
  }

  @Get(':id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    sendPage(response, chartPage(visit, await this.charts.getSnapshot(requireId(text))));
  }

  @Post('write')
  @ConsoleRoute()
  async write(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const requested = {
        ...chartIn(request, CHART_NAMES),
        entries: entriesIn(field(request, 'entries')),
      };
      await this.charts.write(requested, actor);
      return withQuery(CONSOLE.charts, { name: requested.name, did: 'saved' });
    });
  }

  @Post('compute')
  @ConsoleRoute()
  async compute(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const requested = chartIn(request, COMPUTED);
      await this.charts.compute(requested, actor);
      return withQuery(CONSOLE.charts, { name: requested.name, did: 'saved' });
    });
  }

  @Post(':id/delete')
  @ConsoleRoute()
  async deleteSnapshot(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      await this.charts.deleteSnapshot(requireId(text), actor);
      return withQuery(CONSOLE.charts, { did: 'removed' });
    });
  }
}
