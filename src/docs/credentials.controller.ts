import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { AccountsService } from '../accounts/accounts.service';
import { BrowserSessionService, field } from '../accounts/browser-sessions.service';
import { rememberToken } from '../accounts/session-tokens';
import { ADMIN_SCOPE } from '../api/access/access';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { type TransactionHooks } from '../database/database';
import { ApplicationsService } from '../oauth/applications.service';
import { Attempts } from '../oauth/attempts';
import { setPageHeaders } from '../web/page-response';
import { PageFilter } from '../web/page.filter';
import { PageRoute } from '../web/page-route';
import { CREDENTIALS_PATH } from './reference/credentials.page';

/** Seconds for which a token of the documentation is valid. */
const LIFETIME = 3600;

const WRONG_SOURCE = 'invalidRequestSource';

/** The apps of a signed-in developer, for the forms of the documentation. */
interface Credentials {
  readonly signed_in: boolean;
  readonly form_token: string;
  readonly apps: readonly { readonly name: string; readonly client_id: string }[];
}

/**
 * Keys and tokens for the forms of the documentation (D136). The path is below that of the session
 * cookie, so that pages of the documentation do not depend on the session.
 */
@Controller(CREDENTIALS_PATH.slice(1))
@UseFilters(PageFilter)
export class CredentialsController {
  constructor(
    private readonly sessions: BrowserSessionService,
    private readonly accounts: AccountsService,
    private readonly applications: ApplicationsService,
    private readonly attempts: Attempts,
  ) {}

  /** The apps of the signed-in developer that are not blocked. */
  @Get()
  @PageRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const { user, csrfToken } = await this.sessions.open(request, response);
    const own = user ? await this.applications.listApplicationsOfOwner(user.id) : [];
    const apps = own
      .filter((one) => one.blocked_at === null)
      .map(({ name, client_id }) => ({ name, client_id }));
    const credentials: Credentials = { signed_in: user !== undefined, form_token: csrfToken, apps };
    setPageHeaders(response);
    response.json(credentials);
  }

  /**
   * Issues a token of the developer's own app for the developer, for one hour, with the scopes of the
   * app except `admin`. Signing out ends the last eight tokens of this browser.
   *
   * @throws ApiError 126 without a valid CSRF token or a signed-in user, 1001 for an app of another
   *   user or a blocked one, 111 after too many tokens (D118)
   */
  @Post()
  @PageRoute()
  async issue(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const { user, cookie } = await this.sessions.requireCsrfToken(request, response);
    if (!user) throw new ApiError(WRONG_SOURCE, { detail: 'no user is signed in' });
    const own = await this.applications.listApplicationsOfOwner(user.id);
    const clientId = field(request, 'client_id');
    const application = own.find((one) => one.client_id === clientId && one.blocked_at === null);
    if (!application) throw new ApiError('uriNotFound', { detail: 'app not found' });
    const wanted = {
      clientId,
      userId: user.id,
      scopes: application.scopes.filter((scope) => scope !== ADMIN_SCOPE),
      ttl: LIFETIME,
    };
    const hooks: TransactionHooks = {
      // A password change may have ended the session; an ended session must not create grants.
      begin: async (runner) => {
        if (await this.accounts.holdSession(runner, cookie, user.id)) return;
        throw new ApiError(WRONG_SOURCE, { detail: 'no user is signed in' });
      },
    };
    const token = await this.attempts.count([['consents', String(user.id)]], () =>
      this.applications.issue(wanted, hooks),
    );
    rememberToken(request, response, token);
    setPageHeaders(response);
    response.status(200).json({ access_token: token, token_type: 'Bearer', expires_in: LIFETIME });
  }
}
