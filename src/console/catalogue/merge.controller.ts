import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { MergesService } from '../../admin/records/merges.service';
import { type ApiRequest } from '../../api/http/request-context';
import { sendPage } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { requireId, textIn } from '../input';
import { mergePage } from './merge.pages';
import { pathOfType } from './paths';
import { requireType } from './record-types';

/** Merges records that describe the same work, after a preview. */
@Controller('admin/catalogue/:type/:id/merge')
export class MergePageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly merges: MergesService,
  ) {}

  @Get()
  @ConsoleRoute()
  async preview(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const type = requireType(name);
    const requested = { id: requireId(text), into: requireId(textIn(request.context.query.into)) };
    const preview = await this.merges.preview(type, requested);
    sendPage(response, mergePage(visit, type.name, requested, preview));
  }

  @Post()
  @ConsoleRoute()
  async merge(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const type = requireType(name);
      const into = requireId(field(request, 'into'));
      await this.merges.merge(type, { id: requireId(text), into }, actor);
      return withQuery(`${pathOfType(type.name)}/${into}`, { did: 'merged' });
    });
  }
}
