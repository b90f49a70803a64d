import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { addressOf, limitKeyOf } from '../api/http/client-address';
import { ApiError } from '../api/errors/errors';
import { type ApiRequest } from '../api/http/request-context';
import { Settings } from '../config/settings';
import { messagesFor } from '../web/language';
import { FORM_TOKEN, PATHS, type Visitor } from '../web/layout';
import { redirect } from '../web/page-response';
import { type SignedIn } from './accounts.repository';
import { AccountsService, SESSION_LIFETIME } from './accounts.service';
import { clearCookie, readCookie, writeCookie, type PageCookie } from './cookies';

/** One request for a page: who makes it, and in which language. */
export interface BrowserSession extends Visitor {
  readonly user: SignedIn | undefined;
  /** What the cookie held; a session when somebody is signed in. */
  readonly cookie: string;
  readonly request: ApiRequest;
  readonly response: Response;
}

/** A visit of somebody who is signed in. */
export type UserSession = BrowserSession & { readonly user: SignedIn };

/** The API never reads it: over plain HTTP it lies outside the cookie's path, too. */
const COOKIE: PageCookie = {
  name: 'commonplace_session',
  path: '/service',
  // The way from an application's page to consent is a link from another site.
  sameSite: 'lax',
  lifetime: SESSION_LIFETIME,
};

/**
 * What a form of a browser carries: made of the browser's cookie, which no other site can read, and
 * which changes at sign-in.
 */
const csrfTokenOf = (cookie: string): string =>
  createHash('sha256').update(`form ${cookie}`).digest('base64url');

/** What a visitor's address counts as in limits. */
export const addressKey = (request: ApiRequest): string => limitKeyOf(addressOf(request));

/** The text of a form's field; fields that are no text are empty. */
export function field(request: ApiRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** The texts of a field that may stand in a form several times, such as check boxes. */
export function fields(request: ApiRequest, name: string): string[] {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === 'string');
}

/** An address on this site's pages to go on to, or the fallback for any other. */
export function safeReturn(text: unknown, fallback: string): string {
  if (typeof text !== 'string' || !/^\/service\/[\x21-\x7e]*$/.test(text)) return fallback;
  // What browsers make of dots and backslashes must still be here.
  const url = new URL(text, 'http://here.invalid');
  const inside = url.origin === 'http://here.invalid' && url.pathname.startsWith('/service/');
  return inside ? url.pathname + url.search : fallback;
}

/** Sessions of browsers, and forms that only they can send. */
@Injectable()
export class BrowserSessionService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly settings: Settings,
  ) {}

  /** Looks who visits a page; whoever has no cookie yet gets one, for the forms. */
  async open(request: ApiRequest, response: Response): Promise<BrowserSession> {
    const given = readCookie(request, COOKIE);
    const known = /^[\w-]{20,100}$/.test(given);
    const cookie = known ? given : randomBytes(24).toString('base64url');
    if (!known) writeCookie(request, response, COOKIE, cookie);
    const user = known ? await this.accounts.session(cookie) : undefined;
    return {
      messages: messagesFor(request),
      uid: user?.uid,
      user,
      cookie,
      csrfToken: csrfTokenOf(cookie),
      request,
      response,
    };
  }

  /** A visit of somebody who is signed in; anybody else is led to sign in, and is undefined. */
  async openSignedIn(
    request: ApiRequest,
    response: Response,
    returnTo: string,
  ): Promise<UserSession | undefined> {
    const visit = await this.open(request, response);
    if (visit.user) return visit as UserSession;
    redirect(response, `${PATHS.signIn}?return_to=${encodeURIComponent(returnTo)}`);
    return undefined;
  }

  /**
   * A visit that sends a form: from a page of this site, in the same browser and session.
   *
   * @throws ApiError 126 with 403 for a form of another site or an older session
   */
  async requireCsrfToken(request: ApiRequest, response: Response): Promise<BrowserSession> {
    const visit = await this.open(request, response);
    const given = Buffer.from(field(request, FORM_TOKEN));
    const wanted = Buffer.from(visit.csrfToken);
    const same = given.length === wanted.length && timingSafeEqual(given, wanted);
    if (!same || !this.isOwnForm(request)) {
      throw new ApiError('invalidRequestSource', {
        detail: 'the form is not from a page of this site, or too old',
      });
    }
    return visit;
  }

  /** What browsers say of where a form comes from; older ones say nothing. */
  private isOwnForm(request: ApiRequest): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    const { origin } = request.headers;
    if (origin === undefined) return true;
    const own = [request.headers.host, new URL(this.settings.baseUrl).host];
    return URL.canParse(origin) && own.includes(new URL(origin).host);
  }

  /** Puts a session into the browser, instead of what it had (against session fixation). */
  signIn({ request, response }: BrowserSession, session: string): void {
    writeCookie(request, response, COOKIE, session);
  }

  /** Ends the session of a browser. */
  async signOut({ request, response, cookie, user }: BrowserSession): Promise<void> {
    if (user) await this.accounts.endSession(cookie);
    clearCookie(request, response, COOKIE);
  }

  /** Ends the sessions of a user in every browser. */
  async signOutEverywhere({ request, response, user }: UserSession): Promise<void> {
    await this.accounts.endSessions(user.id);
    clearCookie(request, response, COOKIE);
  }
}
