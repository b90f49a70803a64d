import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { ShowingsService } from '../../admin/showings.service';
import { Settings } from '../../config/settings';
import { dayWriter } from '../../web/days';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { sendPage } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { idsIn, requireDay, requireId, textIn } from '../input';
import { CONSOLE } from '../paths';
import { LIST_COUNT, showingsPage } from './showings.pages';

/** Showings of films in cities. */
@Controller('admin/showings')
export class ShowingPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly showings: ShowingsService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const filter = { city: textIn(query.city), subject: textIn(query.subject) };
    const page = await this.showings.list(
      filter.city === '' ? undefined : filter.city,
      idsIn([filter.subject])[0],
      readPage(query, { count: LIST_COUNT }),
    );
    sendPage(
      response,
      showingsPage(
        session,
        { ...filter, today: dayWriter(this.settings.TIME_ZONE)(new Date()) },
        page,
      ),
    );
  }

  @Post('write')
  @ConsoleRoute()
  async write(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const until = field(request, 'until');
      const requested = {
        subject_id: requireId(field(request, 'subject_id')),
        city: field(request, 'city').trim(),
        from: requireDay(field(request, 'from'), 'from'),
        ...(until !== '' && { until: requireDay(until, 'until') }),
      };
      const { subject_id: subject } = await this.showings.write(requested, actor);
      return withQuery(CONSOLE.showings, { subject, did: 'saved' });
    });
  }

  @Post(':id/delete')
  @ConsoleRoute()
  async deleteShowing(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(
      request,
      response,
      { dangerous: true, permanent: true },
      async ({ actor }) => {
        await this.showings.deleteShowing(requireId(text), actor);
        return withQuery(CONSOLE.showings, { did: 'removed' });
      },
    );
  }
}
