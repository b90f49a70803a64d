import { Controller, Get, Header, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { addressOf, limitKeyOf } from '../api/client';
import { type FramedRequest } from '../api/frame';
import { Moderator } from '../api/moderation';
import { Public, RespondsPage, Secure } from '../api/route';
import { PATHS } from '../web/layout';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { STYLE } from '../web/style';
import { AccountsService } from './accounts.service';
import { registerPage, signInPage } from './sign-in.pages';
import { field, safeReturn, VisitsService } from './visits.service';

const returnOf = (text: unknown): string => safeReturn(text, PATHS.account);

/** What a visitor's address counts as. */
const addressKey = (request: FramedRequest): string => limitKeyOf(addressOf(request));

/** Making an account, signing in and out. */
@Controller('service')
@UseFilters(PageFilter)
export class SignInController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly visits: VisitsService,
    private readonly moderator: Moderator,
  ) {}

  @Get('style.css')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  style(): string {
    return STYLE;
  }

  @Get()
  @Public()
  @Secure()
  @RespondsPage()
  front(@Res() response: Response): void {
    redirect(response, PATHS.account);
  }

  @Get('sign-in')
  @Public()
  @Secure()
  @RespondsPage()
  async signInForm(@Req() request: FramedRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.open(request, response);
    const returnTo = returnOf(request.frame.query.return_to);
    if (visit.user) redirect(response, returnTo);
    else sendPage(response, signInPage(visit, { uid: '', returnTo }), { leadsAway: true });
  }

  @Post('sign-in')
  @Public()
  @Secure()
  @RespondsPage()
  async signIn(@Req() request: FramedRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.openForm(request, response);
    const returnTo = returnOf(field(request, 'return_to'));
    const uid = field(request, 'uid').trim();
    const result = await this.accounts.signIn(uid, field(request, 'password'), addressKey(request));
    if ('fault' in result) {
      const fault = visit.messages.signIn[result.fault];
      sendPage(response, signInPage(visit, { uid, returnTo, fault }), {
        status: 403,
        leadsAway: true,
      });
      return;
    }
    this.visits.signIn(visit, result.value);
    redirect(response, returnTo);
  }

  @Get('register')
  @Public()
  @Secure()
  @RespondsPage()
  async registerForm(@Req() request: FramedRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.open(request, response);
    const returnTo = returnOf(request.frame.query.return_to);
    if (visit.user) redirect(response, returnTo);
    else sendPage(response, registerPage(visit, { uid: '', returnTo }), { leadsAway: true });
  }

  @Post('register')
  @Public()
  @Secure()
  @RespondsPage()
  async register(@Req() request: FramedRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.openForm(request, response);
    const returnTo = returnOf(field(request, 'return_to'));
    const uid = field(request, 'uid').trim();
    const messages = visit.messages.register;
    const result = (await this.moderator.accepts('uid', uid))
      ? await this.accounts.register(uid, field(request, 'password'), addressKey(request))
      : { fault: 'bannedUid' as const };
    if ('fault' in result) {
      const fault = messages[result.fault];
      sendPage(response, registerPage(visit, { uid, returnTo, fault }), {
        status: 400,
        leadsAway: true,
      });
      return;
    }
    this.visits.signIn(visit, result.value);
    redirect(response, returnTo);
  }

  @Post('sign-out')
  @Public()
  @Secure()
  @RespondsPage()
  async signOut(@Req() request: FramedRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.openForm(request, response);
    await this.visits.signOut(visit);
    redirect(response, PATHS.signIn);
  }
}
