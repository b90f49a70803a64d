import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { AccountsService } from '../../accounts/accounts.service';
import {
  field,
  BrowserSessionService,
  type BrowserSession,
  type UserSession,
} from '../../accounts/browser-sessions.service';
import { confirmByForm } from '../../accounts/password-confirmation';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { type Actor } from '../../audit/audit.service';
import { Html } from '../../web/html';
import { redirect, sendPage } from '../../web/page-response';
import { consoleMessages, type ConsoleMessages } from '../messages';
import { confirmPage, permanentPage, SURE } from './access.pages';

/** A request of an administrator to the console. */
export interface ConsoleSession extends UserSession {
  readonly words: ConsoleMessages;
}

/** A form of the console. */
export interface ConsoleForm extends ConsoleSession {
  readonly actor: Actor;
}

/** Sessions of authorized requests, for the error filter. */
const SESSIONS = new WeakMap<ApiRequest, ConsoleSession>();

/** The session of a request that passed authorization; undefined for others. */
export const findConsoleSession = (request: ApiRequest): ConsoleSession | undefined =>
  SESSIONS.get(request);

/** The administrator of a session, for the audit log. */
export const actorOf = ({ user, request }: ConsoleSession): Actor => ({
  id: user.id,
  name: user.uid,
  requestId: request.context.id,
});

/** The result of a form whose handler has sent the response. */
export const RESPONSE_SENT = Symbol('response sent');

/** How a form is handled. */
export interface FormOptions {
  /** Requires the password, unless it was entered in the last minutes. */
  readonly dangerous?: boolean;
  /** Asks whether to do what cannot be undone. */
  readonly permanent?: boolean;
}

/** Lets only signed-in administrators into the console. */
@Injectable()
export class ConsoleSessions {
  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly accounts: AccountsService,
  ) {}

  /**
   * The session of an administrator. Others are redirected to sign-in, and undefined is returned.
   *
   * @throws ApiError 403 for a user who is no administrator
   */
  async open(request: ApiRequest, response: Response): Promise<ConsoleSession | undefined> {
    const session = await this.sessions.openSignedIn(request, response, request.originalUrl);
    return session && this.asAdministrator(session);
  }

  /**
   * Handles a form and redirects, so that a reload does not repeat it (Post/Redirect/Get).
   *
   * @param work returns the path to redirect to, or a page for a form that changes nothing; it
   *   returns {@link RESPONSE_SENT} for a download
   * @throws ApiError 126 without a valid CSRF token or a signed-in user, 403 for a user who is no
   *   administrator
   */
  async handle(
    request: ApiRequest,
    response: Response,
    { dangerous = false, permanent = false }: FormOptions,
    work: (form: ConsoleForm) => Promise<string | Html | typeof RESPONSE_SENT>,
  ): Promise<void> {
    const browser = await this.requireCsrfToken(request, response);
    if (!browser.user)
      throw new ApiError('invalidRequestSource', { detail: 'no user is signed in' });
    const session = this.asAdministrator(browser as UserSession);
    if (dangerous) {
      if (!(await this.isConfirmed(session))) return;
      // Checking the password may have waited for that of others.
      await this.requireStillAdministrator(session);
    }
    if (permanent && field(request, SURE) === '') {
      sendPage(response, permanentPage(session));
      return;
    }
    const result = await work({ ...session, actor: actorOf(session) });
    if (result instanceof Html) sendPage(response, result);
    else if (typeof result === 'string') redirect(response, result);
  }

  /**
   * Checks a session again during a long request: the user may have been signed out, or
   * may no longer be an administrator.
   *
   * @throws ApiError 403
   */
  async requireStillAdministrator({ request, response }: UserSession): Promise<void> {
    if (await this.isAdministrator(request, response)) return;
    throw new ApiError('needPermission', {
      detail: 'the session has ended, or its user is no longer an administrator',
    });
  }

  /** Whether a request has the session of an administrator; it sends nothing. */
  async isAdministrator(request: ApiRequest, response: Response): Promise<boolean> {
    const { user } = await this.sessions.open(request, response);
    return user?.role === 'administrator';
  }

  /** Whether a form with this CSRF token is of the session and of this site. */
  isOwnForm(request: ApiRequest, token: string): boolean {
    return this.sessions.isFormOf(request, token);
  }

  /** Asks for the password, together with the fields of the form, when it is needed. */
  private async isConfirmed(session: ConsoleSession): Promise<boolean> {
    if (session.user.confirmed) return true;
    const confirmation = await confirmByForm(this.accounts, session);
    if (confirmation === 'right') return true;
    sendPage(session.response, confirmPage(session, confirmation === 'wrong'), { status: 403 });
    return false;
  }

  private asAdministrator(session: UserSession): ConsoleSession {
    if (session.user.role !== 'administrator')
      throw new ApiError('needPermission', { detail: 'the user is not an administrator' });
    const opened = { ...session, words: consoleMessages(session.messages.lang) };
    SESSIONS.set(session.request, opened);
    return opened;
  }

  /** Administrators get the error about a wrong token in the layout of the console. */
  private async requireCsrfToken(request: ApiRequest, response: Response): Promise<BrowserSession> {
    try {
      return await this.sessions.requireCsrfToken(request, response);
    } catch (error) {
      const session = await this.sessions.open(request, response);
      if (session.user?.role === 'administrator') this.asAdministrator(session as UserSession);
      throw error;
    }
  }
}
