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
    private readonly sessions: BrowserSessionService,
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
    const session = await this.sessions.open(request, response);
    const returnTo = returnOf(request.context.query.return_to);
    if (session.user) redirect(response, returnTo);
    else this.showSignIn(session, { uid: '', returnTo });
  }

  @Post('sign-in')
  @PageRoute()
  async signIn(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    const returnTo = returnOf(field(request, 'return_to'));
    const uid = field(request, 'uid').trim();
    const origin: SignInOrigin = {
      uid,
      address: request.context.addressKey,
      device: await this.devices.find(request, uid),
      solution: solutionOf(request),
    };
    const result = await this.signIns.signIn(origin, field(request, 'password'));
    if ('value' in result) {
      await this.enter(session, uid, result.value);
      redirect(response, returnTo);
      return;
    }
    if ('challenge' in result) {
      const refusal = tooManyAttempts(result.seconds);
      if (!prefersHtml(request.headers.accept)) throw refusal;
      for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
      this.showSignIn(session, { uid, returnTo, next: result }, refusal.status);
      return;
    }
    const { signIn: words } = session.messages;
    const { reason = '', until } = result.block ?? {};
    const fault = [
      words[result.fault],
      ...(reason === '' ? [] : [words.blockedReason(reason)]),
      ...(until ? [words.blockedUntil(until)] : []),
    ].join(' ');
    this.showSignIn(session, { uid, returnTo, fault, next: result.next }, 403);
  }

  private showSignIn(session: BrowserSession, form: SignInForm, status = 200): void {
    const hasScript = form.next !== undefined;
    sendPage(session.response, signInPage(session, form), { status, leadsAway: true, hasScript });
  }

  /** Sets the secret cookie, and the device cookie that makes the browser trusted. */
  private async enter(session: BrowserSession, uid: string, secret: string): Promise<void> {
    this.sessions.signIn(session, secret);
    await this.devices.remember(session.request, session.response, uid);
  }

  @Get('register')
  @PageRoute()
  async registerForm(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    const returnTo = returnOf(request.context.query.return_to);
    if (session.user) redirect(response, returnTo);
    else sendPage(response, registerPage(session, { uid: '', returnTo }), { leadsAway: true });
  }

  @Post('register')
  @PageRoute()
  async register(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    const returnTo = returnOf(field(request, 'return_to'));
    const uid = field(request, 'uid').trim();
    const messages = session.messages.register;
    // Checks the format first, because searching a long text for banned words takes time.
    const result =
      !isUid(uid) || (await this.moderator.accepts('uid', uid))
        ? await this.signIns.register(uid, field(request, 'password'), request.context.addressKey)
        : { fault: 'bannedUid' as const };
    if ('fault' in result) {
      const fault = messages[result.fault];
      sendPage(response, registerPage(session, { uid, returnTo, fault }), {
        status: 400,
        leadsAway: true,
      });
      return;
    }
    await this.enter(session, uid, result.value);
    redirect(response, returnTo);
  }

  @Post('sign-out')
  @PageRoute()
  async signOut(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    await this.sessions.signOut(session);
    redirect(response, PATHS.signIn);
  }
}
