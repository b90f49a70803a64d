import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { ADMIN_SCOPE } from '../api/access/access';
import { type ApiError } from '../api/errors/error-codes';
import { prefersHtml } from '../api/http/prefers-html';
import { type ApiRequest } from '../api/http/request-context';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { type SignedIn } from '../accounts/accounts.repository';
import { AccountsService } from '../accounts/accounts.service';
import { confirmByForm } from '../accounts/password-confirmation';
import {
  field,
  type BrowserSession,
  BrowserSessionService,
} from '../accounts/browser-sessions.service';
import { holdApplication } from '../oauth/application-locks';
import { Attempts } from '../oauth/attempts';
import { ClientsRepository } from '../oauth/clients.repository';
import { grants } from '../oauth/grants.repository';
import { CODE_LIFETIME } from '../oauth/lifetimes';
import { readParameters, type Parameters } from '../oauth/parameters';
import { refusal } from '../oauth/refusal';
import { hashSecret, makeSecret } from '../oauth/tokens';
import { PATHS } from '../web/layout';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { PageRoute } from '../web/page-route';
import { signInPath } from '../web/reader';
import {
  authorizationResponseUrl,
  clientNotFound,
  InvalidAuthorizationRequest,
  isAsShown,
  readAuthorizationRequest,
  type AuthorizationRequest,
} from './authorization-request';
import { consentPage, faultPage } from './consent.pages';

const signedOut = (): ApiError => refusal('invalidUser', 'access_denied', 'no user is signed in');

/** The scope `admin` is as powerful as an administrator, so its grant is confirmed like other steps. */
const needsPassword = ({ scopes }: AuthorizationRequest, user: SignedIn): boolean =>
  scopes.includes(ADMIN_SCOPE) && !user.confirmed;

const passwordState = (authorization: AuthorizationRequest, user: SignedIn) =>
  needsPassword(authorization, user) ? 'missing' : 'unneeded';

/** The authorization endpoint with the consent page (D18, RFC 6749, section 4.1). */
@Controller('service/auth2/auth')
@UseFilters(PageFilter)
export class ConsentController {
  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly accounts: AccountsService,
    private readonly attempts: Attempts,
    private readonly clients: ClientsRepository,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  @Get()
  @PageRoute()
  async showConsent(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    await this.withRequest(session, request.context.query, (authorization, parameters) => {
      if (!session.user) {
        const here = `${PATHS.authorize}?${new URLSearchParams(parameters).toString()}`;
        redirect(response, signInPath(here));
        return;
      }
      this.checkRole(authorization, session.user);
      const page = consentPage(session, authorization, parameters, {
        password: passwordState(authorization, session.user),
      });
      sendPage(response, page, { leadsAway: true });
    });
  }

  @Post()
  @PageRoute()
  async decide(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.requireCsrfToken(request, response);
    const { user } = session;
    await this.withRequest(session, request.body, async (authorization, parameters) => {
      // The session ended while the page was open.
      if (!user) throw signedOut();
      if (!isAsShown(authorization, parameters)) {
        this.checkRole(authorization, user);
        const password = passwordState(authorization, user);
        const page = consentPage(session, authorization, parameters, { password, isChanged: true });
        sendPage(response, page, { leadsAway: true, status: 409 });
        return;
      }
      if (field(request, 'decision') !== 'allow') {
        throw this.fault(
          authorization,
          refusal('needPermission', 'access_denied', 'the user denied access'),
        );
      }
      this.checkRole(authorization, user);
      if (needsPassword(authorization, user)) {
        const confirmation = await confirmByForm(this.accounts, { ...session, user });
        if (confirmation !== 'right') {
          const page = consentPage(session, authorization, parameters, { password: confirmation });
          sendPage(response, page, { leadsAway: true, status: 403 });
          return;
        }
      }
      const code = await this.attempts.count([['consents', String(user.id)]], () =>
        this.addCode(session, user, authorization),
      );
      this.sendBack(response, authorization.redirectUri, { code, state: authorization.state });
    });
  }

  /** Stores a grant. @returns its code */
  private async addCode(
    session: BrowserSession,
    user: SignedIn,
    { client, scopes, requestedRedirectUri, codeChallenge }: AuthorizationRequest,
  ): Promise<string> {
    const code = makeSecret('code');
    await this.database.transaction(async (runner) => {
      // Its developer may have deleted it since the request was read.
      if (!(await holdApplication(runner, client.id))) throw clientNotFound();
      // A password change may have ended the session; an ended session must not create grants.
      if (!(await this.accounts.holdSession(runner, session.cookie, user.id))) throw signedOut();
      await grants.addCode(runner, {
        hash: hashSecret(code),
        applicationId: client.id,
        userId: user.id,
        scopes,
        redirectUri: requestedRedirectUri,
        codeChallenge,
        lifetime: CODE_LIFETIME,
      });
    });
    return code;
  }

  /** Only administrators can grant the scope `admin`. @throws InvalidAuthorizationRequest */
  private checkRole(authorization: AuthorizationRequest, user: SignedIn): void {
    if (!authorization.scopes.includes(ADMIN_SCOPE) || user.role === 'administrator') return;
    const why = 'only administrators can grant the scope admin';
    throw this.fault(authorization, refusal('invalidRequestScope', 'invalid_scope', why));
  }

  private fault(
    { redirectUri, state }: AuthorizationRequest,
    error: ApiError,
  ): InvalidAuthorizationRequest {
    return new InvalidAuthorizationRequest(error, redirectUri, state);
  }

  /** Reads the request and calls `go`. Errors go to the redirect URI or onto a page. */
  private async withRequest(
    session: BrowserSession,
    input: unknown,
    work: (authorization: AuthorizationRequest, parameters: Parameters) => void | Promise<void>,
  ): Promise<void> {
    const { request, response } = session;
    try {
      const parameters = readParameters(input);
      await work(await readAuthorizationRequest(this.clients, parameters), parameters);
    } catch (fault) {
      if (!(fault instanceof InvalidAuthorizationRequest)) {
        this.show(session, fault as ApiError);
        return;
      }
      const { error, redirectUri, state } = fault;
      // Invalid requests do not redirect before sign-in (RFC 9700, section 4.11.2).
      if (session.user) this.sendBack(response, redirectUri, { ...error.members, state });
      else if (prefersHtml(request.headers.accept)) this.show(session, error);
      else throw error;
    }
  }

  /** Shows an error page to browsers; other clients get JSON. */
  private show(session: BrowserSession, error: ApiError): void {
    const { error: name, error_description: description } = error.members ?? {};
    if (name === undefined || !prefersHtml(session.request.headers.accept)) throw error;
    const blocked = error.error === 'apikeyBlocked';
    const page = faultPage(
      session,
      description ?? '',
      `${name} (${error.row.code} ${error.row.msg})`,
      blocked,
    );
    sendPage(session.response, page, { status: error.status });
  }

  private sendBack(
    response: Response,
    redirectUri: string,
    parameters: Record<string, string | undefined>,
  ): void {
    // `iss` protects clients of several servers against mix-up attacks (RFC 9207).
    redirect(
      response,
      authorizationResponseUrl(redirectUri, { ...parameters, iss: this.settings.baseUrl }),
    );
  }
}
