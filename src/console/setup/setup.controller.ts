import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { BrowserSessionService, field } from '../../accounts/browser-sessions.service';
import { FirstAdministratorService } from '../../admin/first-administrator.service';
import { ApiError, notFound } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { PageLimitGuard } from '../../web/page-limit.guard';
import { redirect, sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { textIn } from '../input';
import { consoleMessages } from '../messages';
import { CONSOLE } from '../paths';
import { setupPage } from './setup.pages';

/** The one-time address that makes the first administrator. Anyone may open it with any key. */
@Controller('admin/setup')
@UseGuards(PageLimitGuard)
export class SetupController {
  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly first: FirstAdministratorService,
  ) {}

  @Get()
  @ConsoleRoute()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const key = textIn(request.context.query.key);
    if (!(await this.first.isValid(key))) throw notFound('the address has expired or was used');
    const session = await this.sessions.open(request, response);
    sendPage(response, setupPage(session, consoleMessages(session.messages.lang), key));
  }

  @Post()
  @ConsoleRoute()
  async use(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const { user } = await this.sessions.requireCsrfToken(request, response);
    if (!user) throw new ApiError('invalidRequestSource', { detail: 'no user is signed in' });
    const actor = { id: user.id, name: user.uid, requestId: request.context.id };
    await this.first.use(field(request, 'key'), actor);
    redirect(response, CONSOLE.today);
  }
}
