import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { BrowserSessionService, type UserSession } from '../accounts/browser-sessions.service';
import { ApiError } from '../api/errors/errors';
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
  readonly visit: UserSession;
  readonly application: ApplicationDetails;
  /** Data that every tab shows. */
  readonly view: ApplicationView;
}

/** Finds the application of a page request, and checks that the signed-in user owns it. */
@Injectable()
export class OwnApplications {
  private readonly day: (date: Date) => string;

  constructor(
    private readonly visits: BrowserSessionService,
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
    const visit = await this.visits.openSignedIn(request, response, path);
    if (!visit) return undefined;
    const own = await this.ownOf(visit, clientId);
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
    const own = await this.openForm(request, response, clientId);
    if (own.application.test_of !== null) throw new ApiError('uriNotFound');
    return own;
  }

  /** @throws ApiError 126 without a valid CSRF token or a signed-in user, 111 after too many forms */
  async signedInForm(request: ApiRequest, response: Response): Promise<UserSession> {
    const visit = await this.visits.requireCsrfToken(request, response);
    if (!visit.user) throw new ApiError('invalidRequestSource', { detail: 'no user is signed in' });
    await this.attempts.consume(['developerForm', String(visit.user.id)]);
    return visit as UserSession;
  }

  private async ownOf(visit: UserSession, clientId: string): Promise<Own> {
    const application = await this.developers.own(visit.user, clientId);
    if (!application) throw new ApiError('uriNotFound');
    const { CONTACT: contact } = this.settings;
    return { visit, application, view: { visitor: visit, application, contact, day: this.day } };
  }
}
