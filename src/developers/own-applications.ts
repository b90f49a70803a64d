import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type SignedIn } from '../accounts/accounts.repository';
import {
  BrowserSessionService,
  type BrowserSession,
  type UserSession,
} from '../accounts/browser-sessions.service';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { Settings } from '../config/settings';
import { type ApplicationDetails } from '../oauth/applications.repository';
import { Attempts } from '../oauth/attempts';
import { dayWriter } from '../web/days';
import { DevelopersService } from './developers.service';
import { type ApplicationView } from './pages/frame';
import { pathOf, TEST_TABS, type Tab } from './paths';

/** An application with the session of its owner. */
export interface Own {
  readonly session: UserSession;
  readonly application: ApplicationDetails;
  /** Data that every tab shows. */
  readonly view: ApplicationView;
}

/** Finds the application of a page request, and checks that the signed-in user owns it. */
@Injectable()
export class OwnApplications {
  private readonly day: (date: Date) => string;

  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly developers: DevelopersService,
    private readonly attempts: Attempts,
    private readonly settings: Settings,
  ) {
    this.day = dayWriter(settings.TIME_ZONE);
  }

  /**
   * For a page: redirects to sign-in and returns undefined when nobody is signed in.
   * @throws ApiError 1001 for an application of another user
   */
  async open(
    request: ApiRequest,
    response: Response,
    clientId: string,
    tab: Tab,
  ): Promise<Own | undefined> {
    const path = pathOf(clientId, tab);
    const session = await this.sessions.openSignedIn(request, response, path);
    if (!session) return undefined;
    const own = await this.ownOf(session, clientId);
    if (own.application.test_of !== null && !TEST_TABS.includes(tab))
      throw new ApiError('uriNotFound');
    return own;
  }

  /** For a form. @throws ApiError 126 like `signedInForm`, 1001 for another user's application */
  async openForm(request: ApiRequest, response: Response, clientId: string): Promise<Own> {
    return this.ownOf(await this.signedInForm(request, response), clientId);
  }

  /** Like `openForm`, for what a test key shares with its application. @throws ApiError 1001 for it */
  async openSettings(request: ApiRequest, response: Response, clientId: string): Promise<Own> {
    return withSettings(await this.openForm(request, response, clientId));
  }

  /**
   * Admits a form with a picture before its body is received: the form must come from a page of this
   * site and from a signed-in user. {@link openUpload} checks the CSRF token in the body.
   * @throws ApiError 126 for other forms, 111 after too many forms
   */
  async admitUpload(request: ApiRequest, response: Response): Promise<void> {
    const { user } = await this.sessions.open(request, response);
    if (!user || !this.sessions.isOwnForm(request)) throw new ApiError('invalidRequestSource');
    await this.consumeForm(user);
    // The number of concurrent uploads of a user is limited.
    request.context.writer = user.id;
  }

  /** Like {@link openSettings}, for a form that {@link admitUpload} has admitted and counted. */
  async openUpload(request: ApiRequest, response: Response, clientId: string): Promise<Own> {
    const session = await this.sessions.requireCsrfToken(request, response);
    return withSettings(await this.ownOf(this.signedIn(session), clientId));
  }

  /** @throws ApiError 126 without a valid CSRF token or a signed-in user, 111 after too many forms */
  async signedInForm(request: ApiRequest, response: Response): Promise<UserSession> {
    const session = await this.sessions.requireCsrfToken(request, response);
    const signedIn = this.signedIn(session);
    await this.consumeForm(signedIn.user);
    return signedIn;
  }

  private signedIn(session: BrowserSession): UserSession {
    if (!session.user)
      throw new ApiError('invalidRequestSource', { detail: 'no user is signed in' });
    return session as UserSession;
  }

  private async consumeForm({ id }: SignedIn): Promise<void> {
    await this.attempts.consume(['developerForm', String(id)]);
  }

  private async ownOf(session: UserSession, clientId: string): Promise<Own> {
    const application = await this.developers.own(session.user, clientId);
    if (!application) throw new ApiError('uriNotFound');
    const { CONTACT: contact } = this.settings;
    return {
      session,
      application,
      view: { visitor: session, application, contact, day: this.day },
    };
  }
}

/** A test key has the settings of its application. @throws ApiError 1001 for it */
function withSettings(own: Own): Own {
  if (own.application.test_of !== null) throw new ApiError('uriNotFound');
  return own;
}
