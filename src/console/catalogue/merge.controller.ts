import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { MergesService } from '../../admin/records/merges.service';
import { RecordsService } from '../../admin/records/records.service';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { sendPage } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { requireId, textIn } from '../input';
import { problemText } from '../messages/problems';
import { titleOf } from './catalogue.pages';
import { mergeFormPage, mergePage } from './merge.pages';
import { pathOfType } from './paths';
import { requireType } from './record-types';

/** Merges records that describe the same work, after a preview. */
@Controller('admin/catalogue/:type/:id/merge')
export class MergePageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly merges: MergesService,
    private readonly records: RecordsService,
  ) {}

  @Get()
  @ConsoleRoute()
  async preview(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('type') name: string,
    @Param('id') text: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const type = requireType(name);
    const id = requireId(text);
    const into = textIn(request.context.query.into);
    try {
      const requested = { id, into: requireId(into) };
      const preview = await this.merges.preview(type, requested);
      sendPage(response, mergePage(session, type.name, requested, preview));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const title = titleOf(await this.records.getRecord(type, id));
      const shown = { into, error: problemText(session.messages.lang, error.detail ?? '') };
      sendPage(response, mergeFormPage(session, type.name, { id, title }, shown), {
        status: error.status,
      });
    }
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
