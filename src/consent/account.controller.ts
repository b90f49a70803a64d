import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { AccountsService } from '../accounts/accounts.service';
import {
  field,
  type UserSession,
  BrowserSessionService,
} from '../accounts/browser-sessions.service';
import { type ApiRequest } from '../api/http/request-context';
import { dayWriter } from '../web/days';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { CallersService } from '../oauth/callers.service';
import { grants } from '../oauth/grants.repository';
import { PATHS } from '../web/layout';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { accountPage, type AccountNews } from './account.pages';
import { mayBeClientId } from '../oauth/tokens';
import { PageRoute } from '../web/page-route';

/** The account page: authorized apps, password and sessions. */
@Controller('service/account')
@UseFilters(PageFilter)
export class AccountController {
  private readonly day: (date: Date) => string;

  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly accounts: AccountsService,
    private readonly callers: CallersService,
    private readonly database: Database,
    settings: Settings,
  ) {
    this.day = dayWriter(settings.TIME_ZONE);
  }

  @Get()
  @PageRoute()
  async page(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.openSignedIn(request, response, PATHS.account);
    if (!session) return;
    const words = session.messages.account;
    const { did } = request.context.query;
    const notices = new Map<unknown, string>([
      ['revoke', words.revoked],
      ['password', words.changed],
      ['password-kept', words.changedKept],
    ]);
    await this.show(session, { notice: notices.get(did) });
  }

  @Post('revoke')
  @PageRoute()
  async revoke(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    if (session.user) {
      const clientId = field(request, 'client_id');
      if (mayBeClientId(clientId)) {
        const revoked = await grants.revokeBetween(this.database, session.user.id, clientId);
        if (revoked > 0) this.callers.forget();
      }
    }
    redirect(response, `${PATHS.account}?did=revoke`);
  }

  @Post('password')
  @PageRoute()
  async password(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    if (!session.user) {
      redirect(response, PATHS.account);
      return;
    }
    const keepApps = field(request, 'keep_apps') === 'yes';
    const result = await this.accounts.changePassword(session.user, {
      session: session.cookie,
      current: field(request, 'current'),
      fresh: field(request, 'fresh'),
      keepApps,
      address: request.context.addressKey,
    });
    if ('value' in result) {
      this.sessions.signIn(session, result.value);
      redirect(response, `${PATHS.account}?did=password${keepApps ? '-kept' : ''}`);
      return;
    }
    if (result.fault === 'ended') {
      redirect(response, PATHS.account);
      return;
    }
    const { account, register } = session.messages;
    const text = result.fault === 'wrong' ? account.wrong : register[result.fault];
    await this.show(session as UserSession, { fault: text }, 400);
  }

  @Post('sign-out-everywhere')
  @PageRoute()
  async signOutEverywhere(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    if (session.user) await this.sessions.signOutEverywhere(session as UserSession);
    redirect(response, PATHS.signIn);
  }

  private async show(session: UserSession, notices: AccountNews, status = 200): Promise<void> {
    const authorized = await grants.authorized(this.database, session.user.id);
    sendPage(session.response, accountPage(session, authorized, this.day, notices), { status });
  }
}
