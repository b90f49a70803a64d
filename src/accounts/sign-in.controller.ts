import { Controller, Get, Header, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { CAPTCHA_ID, CAPTCHA_SOLUTION } from '../api/writes/captcha';
import { prefersHtml } from '../api/http/prefers-html';
import { type ApiRequest } from '../api/http/request-context';
import { Moderator } from '../api/writes/moderation';
import { Public, RespondsPage } from '../api/routing/route';
import { PATHS } from '../web/layout';
import { tooManyAttempts } from '../oauth/attempts';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { PageRoute } from '../web/page-route';
import { CHALLENGE_SCRIPT } from './challenge.script';
import { DeviceCookies } from './device-cookies';
import { type SignInOrigin } from './sign-in-limits';
import { registerPage, signInPage, type SignInForm } from './sign-in.pages';
import { isUid, SignInService } from './sign-in.service';
import {
  addressKey,
  field,
  safeReturn,
  type BrowserSession,
  BrowserSessionService,
} from './browser-sessions.service';

const returnOf = (text: unknown): string => safeReturn(text, PATHS.account);

/** The challenge solution of a form; undefined when a field is missing. */
function solutionOf(request: ApiRequest): SignInOrigin['solution'] {
  const [id, solution] = [field(request, CAPTCHA_ID), field(request, CAPTCHA_SOLUTION)];
  return id === '' || solution === '' ? undefined : { id, solution };
}

/** Pages for registration, sign-in and sign-out. */
@Controller('service')
@UseFilters(PageFilter)
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly visits: BrowserSessionService,
    private readonly devices: DeviceCookies,
    private readonly moderator: Moderator,
  ) {}

  @Get('challenge.js')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  challengeScript(): string {
    return CHALLENGE_SCRIPT;
  }

  @Get()
  @PageRoute()
  front(@Res() response: Response): void {
    redirect(response, PATHS.account);
  }

  @Get('sign-in')
  @PageRoute()
  async signInForm(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.open(request, response);
    const returnTo = returnOf(request.context.query.return_to);
    if (visit.user) redirect(response, returnTo);
    else this.showSignIn(visit, { uid: '', returnTo });
  }

  @Post('sign-in')
  @PageRoute()
  async signIn(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.requireCsrfToken(request, response);
    const returnTo = returnOf(field(request, 'return_to'));
    const uid = field(request, 'uid').trim();
    const origin: SignInOrigin = {
      uid,
      address: addressKey(request),
      device: await this.devices.find(request, uid),
      solution: solutionOf(request),
    };
    const result = await this.signIns.signIn(origin, field(request, 'password'));
    if ('value' in result) {
      await this.enter(visit, uid, result.value);
      redirect(response, returnTo);
      return;
    }
    if ('challenge' in result) {
      const refusal = tooManyAttempts(result.seconds);
      if (!prefersHtml(request.headers.accept)) throw refusal;
      for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
      this.showSignIn(visit, { uid, returnTo, next: result }, refusal.status);
      return;
    }
    const { signIn: words } = visit.messages;
    const { reason = '', until } = result.block ?? {};
    const fault = [
      words[result.fault],
      ...(reason === '' ? [] : [words.blockedReason(reason)]),
      ...(until ? [words.blockedUntil(until)] : []),
    ].join(' ');
    this.showSignIn(visit, { uid, returnTo, fault, next: result.next }, 403);
  }

  private showSignIn(visit: BrowserSession, form: SignInForm, status = 200): void {
    const hasScript = form.next !== undefined;
    sendPage(visit.response, signInPage(visit, form), { status, leadsAway: true, hasScript });
  }

  /** Sets the session cookie, and the device cookie that makes the browser trusted. */
  private async enter(visit: BrowserSession, uid: string, session: string): Promise<void> {
    this.visits.signIn(visit, session);
    await this.devices.remember(visit.request, visit.response, uid);
  }

  @Get('register')
  @PageRoute()
  async registerForm(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.open(request, response);
    const returnTo = returnOf(request.context.query.return_to);
    if (visit.user) redirect(response, returnTo);
    else sendPage(response, registerPage(visit, { uid: '', returnTo }), { leadsAway: true });
  }

  @Post('register')
  @PageRoute()
  async register(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.requireCsrfToken(request, response);
    const returnTo = returnOf(field(request, 'return_to'));
    const uid = field(request, 'uid').trim();
    const messages = visit.messages.register;
    // Checks the format first, because searching a long text for banned words takes time.
    const result =
      !isUid(uid) || (await this.moderator.accepts('uid', uid))
        ? await this.signIns.register(uid, field(request, 'password'), addressKey(request))
        : { fault: 'bannedUid' as const };
    if ('fault' in result) {
      const fault = messages[result.fault];
      sendPage(response, registerPage(visit, { uid, returnTo, fault }), {
        status: 400,
        leadsAway: true,
      });
      return;
    }
    await this.enter(visit, uid, result.value);
    redirect(response, returnTo);
  }

  @Post('sign-out')
  @PageRoute()
  async signOut(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.requireCsrfToken(request, response);
    await this.visits.signOut(visit);
    redirect(response, PATHS.signIn);
  }
}
