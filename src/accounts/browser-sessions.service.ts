import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { isSafe } from '../api/http/safe-methods';
import { Settings } from '../config/settings';
import { FORM_TOKEN, type Visitor } from '../web/layout';
import { clearCookie, readCookie, setCookie, type PageCookie } from '../web/cookies';
import { redirect } from '../web/page-response';
import { readerOf, sameOriginPath, signInPath } from '../web/reader';
import { type SignedIn } from './accounts.repository';
import { AccountsService, SESSION_LIFETIME } from './accounts.service';
import { CsrfTokens } from './csrf-tokens';
import { forgetTokens, tokensOf } from './session-tokens';

/** A page request with its user, language and session cookie. */
export interface BrowserSession extends Visitor {
  readonly user: SignedIn | undefined;
  /** The cookie's value; the session secret when a user is signed in. */
  readonly cookie: string;
  readonly request: ApiRequest;
  readonly response: Response;
}

/** The browser session of a signed-in user. */
export type UserSession = BrowserSession & { readonly user: SignedIn };

/** The API never reads this cookie. The console at `/admin` does. */
const COOKIE: PageCookie = {
  name: 'commonplace_login',
  path: '/',
  // An application's link to the consent page is a cross-site navigation.
  sameSite: 'lax',
  lifetime: SESSION_LIFETIME,
};

/** A text that PostgreSQL can store: without NUL and lone surrogates. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The value of a form field; empty when it is missing or not a string. */
export function field(request: ApiRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? storable(value) : '';
}

/** All values of a form field that may be repeated, such as check boxes. */
export function fields(request: ApiRequest, name: string): string[] {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === 'string').map(storable);
}

/** The path of a page of this site; the fallback for any other URL (no open redirects). */
export function safeReturn(text: unknown, fallback: string): string {
  const path = sameOriginPath(text);
  return path !== undefined && /^\/(service\/|(admin|docs)([/?#]|$))/.test(path) ? path : fallback;
}

const notFromThisSite = (): ApiError =>
  new ApiError('invalidRequestSource', {
    detail: 'the form has expired or was not sent from this site',
  });

/** Browser sessions and the CSRF protection of their forms. */
@Injectable()
export class BrowserSessionService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly csrfTokens: CsrfTokens,
    private readonly settings: Settings,
  ) {}

  /**
   * Reads the browser session. A browser without a cookie gets one, for the CSRF token; not with a form
   * of another site, with which browsers send no cookie: a new one would end the user's session.
   */
  async open(request: ApiRequest, response: Response): Promise<BrowserSession> {
    const value = readCookie(request, COOKIE);
    const isValid = /^[\w-]{20,100}$/.test(value);
    const cookie = isValid ? value : randomBytes(24).toString('base64url');
    const mayGetCookie = isSafe(request.method) || this.isOwnForm(request);
    if (!isValid && mayGetCookie) setCookie(request, response, COOKIE, cookie);
    const user = isValid ? await this.accounts.session(cookie) : undefined;
    return {
      ...readerOf(request),
      uid: user?.uid,
      user,
      cookie,
      csrfToken: this.csrfTokens.create(cookie),
      request,
      response,
    };
  }

  /** Opens the session of a signed-in user, or redirects to sign-in and returns undefined. */
  async openSignedIn(
    request: ApiRequest,
    response: Response,
    returnTo: string,
  ): Promise<UserSession | undefined> {
    const session = await this.open(request, response);
    if (session.user) return session as UserSession;
    redirect(response, signInPath(returnTo));
    return undefined;
  }

  /**
   * Opens the session of a form request. The form must come from a page of this site and from the
   * same session.
   *
   * @throws ApiError 126 with 403 for a form of another site or an earlier session
   */
  async requireCsrfToken(request: ApiRequest, response: Response): Promise<BrowserSession> {
    if (!this.isOwnForm(request)) throw notFromThisSite();
    const session = await this.open(request, response);
    if (!this.csrfTokens.verify(session.cookie, field(request, FORM_TOKEN)))
      throw notFromThisSite();
    if (session.user) request.context.writer = session.user.id;
    return session;
  }

  /** Whether a form comes from a page of this site, and its CSRF token is that of the session. */
  isFormOf(request: ApiRequest, token: string): boolean {
    return this.csrfTokens.verify(readCookie(request, COOKIE), token) && this.isOwnForm(request);
  }

  /** Whether a form comes from a page of this site: `Sec-Fetch-Site` and `Origin`, which old browsers do not send. */
  isOwnForm(request: ApiRequest): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    const { origin } = request.headers;
    if (origin === undefined) return true;
    const own = [request.headers.host, new URL(this.settings.baseUrl).host];
    return URL.canParse(origin) && own.includes(new URL(origin).host);
  }

  /** Replaces the browser's cookie with a new session, against session fixation. */
  signIn({ request, response }: BrowserSession, secret: string): void {
    setCookie(request, response, COOKIE, secret);
  }

  /** Ends the session of a browser, and the tokens that pages gave to it. */
  async signOut({ request, response, cookie, user }: BrowserSession): Promise<void> {
    if (user) await this.accounts.endSession(cookie, user.id, tokensOf(request));
    forgetTokens(request, response);
    clearCookie(request, response, COOKIE);
  }

  /** Ends the sessions of a user in every browser, and the tokens that pages gave to this one. */
  async signOutEverywhere({ request, response, user }: UserSession): Promise<void> {
    await this.accounts.endSessions(user.id, tokensOf(request));
    forgetTokens(request, response);
    clearCookie(request, response, COOKIE);
  }
}
