import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminChartsService, type SnapshotValues } from '../../admin/charts.service';
import { Settings } from '../../config/settings';
import { dayWriter } from '../../web/days';
import { malformed } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { CHART_NAMES, COMPUTED } from '../../movies/chart-names';
import { sendPage } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, idsIn, requireDay, requireId } from '../input';
import { CONSOLE } from '../paths';
import { chartPage, chartsPage, LIST_COUNT, type WireEntry } from './charts.pages';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The ids in a text with one in each line; the title after it is ignored. */
const entriesIn = (text: string): WireEntry[] =>
  text
    .split('\n')
    .map((line) => /^\S+/.exec(line.trim())?.[0])
    .filter((id) => id !== undefined)
    .map((id, at) => ({ rank: at + 1, subject_id: String(requireId(id)) }));

/** The chart, day and city in a form. @throws ApiError 999 for an invalid one */
function chartIn<Name extends string>(
  request: ApiRequest,
  names: readonly Name[],
): { readonly name: Name; readonly date: string; readonly city?: string } {
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
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const name = chosen(query.name, CHART_NAMES, undefined);
    const page = await this.charts.list(name, readPage(query, { count: LIST_COUNT }));
    sendPage(response, chartsPage(session, { name: name ?? '', today: this.today() }, page));
  }

  @Get(':id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    sendPage(response, chartPage(session, await this.charts.getNamedSnapshot(requireId(text))));
  }

  @Post('write')
  @ConsoleRoute()
  async write(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const chart = chartIn(request, CHART_NAMES);
      const entries = entriesIn(field(request, 'entries'));
      const edited = idsIn([field(request, 'edited')])[0];
      const requested =
        edited === undefined ? { ...chart, entries } : await this.edit(edited, chart, entries);
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
    await this.sessions.handle(
      request,
      response,
      { dangerous: true, permanent: true },
      async ({ actor }) => {
        await this.charts.deleteSnapshot(requireId(text), actor);
        return withQuery(CONSOLE.charts, { did: 'removed' });
      },
    );
  }

  private today(): string {
    return dayWriter(this.settings.TIME_ZONE)(new Date());
  }

  /** The form has no period and no box office: an edited snapshot keeps them. */
  private async edit(
    id: number,
    chart: Omit<SnapshotValues, 'entries'>,
    entries: readonly WireEntry[],
  ): Promise<SnapshotValues> {
    const stored = await this.charts.getSnapshot(id);
    if (stored.name !== chart.name || stored.date !== chart.date) return { ...chart, entries };
    const before = new Map(
      ((stored.entries ?? []) as WireEntry[]).map((entry) => [entry.subject_id, entry]),
    );
    const merged = entries.map((entry) => {
      const { box, new: isNew } = before.get(entry.subject_id) ?? {};
      return { ...entry, ...(box !== undefined && { box }), ...(isNew && { new: isNew }) };
    });
    return { ...chart, entries: merged, ...(isText(stored.period) && { period: stored.period }) };
  }
}
