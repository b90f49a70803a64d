import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { SERIES_TITLE, SeriesService } from '../../admin/series.service';
import { malformed } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { cleanText, lengthOf } from '../../api/input/text-input';
import { readPage } from '../../api/resources/page';
import { sendPage } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { requireId, textIn } from '../input';
import { CONSOLE } from '../paths';
import { LIST_COUNT, seriesPage } from './series.pages';

/** The title in a form. @throws ApiError 999 for a blank or too long one */
function titleIn(request: ApiRequest): string {
  const title = cleanText(field(request, 'title'));
  if (title === '' || lengthOf(title) > SERIES_TITLE)
    throw malformed(`title must have 1 to ${SERIES_TITLE} characters`);
  return title;
}

/** Series of books. */
@Controller('admin/series')
export class SeriesPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly series: SeriesService,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const q = textIn(query.q);
    const page = await this.series.list(q, readPage(query, { count: LIST_COUNT }));
    sendPage(response, seriesPage(session, q, page));
  }

  @Post('create')
  @ConsoleRoute()
  async create(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const { title } = await this.series.create(titleIn(request), undefined, actor);
      return withQuery(CONSOLE.series, { q: title, did: 'created' });
    });
  }

  @Post(':id/rename')
  @ConsoleRoute()
  async rename(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const { title } = await this.series.update(requireId(text), titleIn(request), actor);
      return withQuery(CONSOLE.series, { q: title, did: 'saved' });
    });
  }

  @Post(':id/delete')
  @ConsoleRoute()
  async deleteSeries(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(
      request,
      response,
      { dangerous: true, permanent: true },
      async ({ actor }) => {
        await this.series.deleteSeries(requireId(text), actor);
        return withQuery(CONSOLE.series, { did: 'removed' });
      },
    );
  }
}
