import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import {
  field,
  fields,
  type UserSession,
  BrowserSessionService,
} from '../accounts/browser-sessions.service';
import { ApiError } from '../api/errors/errors';
import { type ApiRequest } from '../api/http/request-context';
import { Public, RespondsPage, RequireHttps } from '../api/routing/route';
import { Settings } from '../config/settings';
import { LimitValues } from '../limits/limit-values';
import { RouteTable } from '../api/routing/route-table';
import { DeprecatedUsageService } from '../limits/deprecated-usage.service';
import { UsageService } from '../limits/usage.service';
import { type ApplicationDetails } from '../oauth/applications.repository';
import { ApplicationsService } from '../oauth/applications.service';
import { dayWriter } from '../web/days';
import { PATHS } from '../web/layout';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { applicationPage, type ApplicationView } from './application.pages';
import { deprecatedOperations } from './deprecated.pages';
import { developerPage, EMPTY_FORM, pathOf } from './developer.pages';
import { DevelopersService, type ApplicationForm } from './developers.service';

const formOf = (request: ApiRequest): ApplicationForm => ({
  name: field(request, 'name'),
  redirectUris: field(request, 'redirect_uris'),
  isPublic: field(request, 'kind') === 'public',
});

type Own = { visit: UserSession; application: ApplicationDetails };

/** Pages on which developers create and manage their own applications. */
@Controller('service/developer')
@UseFilters(PageFilter)
export class DeveloperController {
  private readonly day: (date: Date) => string;

  constructor(
    private readonly visits: BrowserSessionService,
    private readonly developers: DevelopersService,
    private readonly applications: ApplicationsService,
    private readonly limits: LimitValues,
    private readonly usage: UsageService,
    private readonly deprecated: DeprecatedUsageService,
    private readonly routes: RouteTable,
    private readonly settings: Settings,
  ) {
    this.day = dayWriter(settings.TIME_ZONE);
  }

  @Get()
  @Public()
  @RequireHttps()
  @RespondsPage()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.visits.openSignedIn(request, response, PATHS.developer);
    if (!visit) return;
    const own = await this.applications.listApplicationsOfOwner(visit.user.id);
    sendPage(response, developerPage(visit, own, EMPTY_FORM));
  }

  @Post('applications')
  @Public()
  @RequireHttps()
  @RespondsPage()
  async create(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.signedInForm(request, response);
    const words = visit.messages.developer;
    const form = formOf(request);
    const result = await this.developers.create(words, visit.user, form);
    if ('fault' in result) {
      const own = await this.applications.listApplicationsOfOwner(visit.user.id);
      sendPage(response, developerPage(visit, own, form, result.fault), { status: 400 });
      return;
    }
    const { clientId, clientSecret: secret } = result.value;
    const application = await this.developers.own(visit.user, clientId);
    if (!application) throw new ApiError('uriNotFound');
    // Only this response shows the secret, so there is no redirect.
    await this.show({ visit, application }, { secret, notice: words.created }, 201);
  }

  @Get('applications/:clientId')
  @Public()
  @RequireHttps()
  @RespondsPage()
  async page(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const path = pathOf(encodeURIComponent(clientId));
    const visit = await this.visits.openSignedIn(request, response, path);
    if (!visit) return;
    const application = await this.developers.own(visit.user, clientId);
    if (!application) throw new ApiError('uriNotFound');
    const { did } = request.context.query;
    const words = visit.messages.developer;
    const notice = did === 'save' ? words.saved : did === 'ask' ? words.asked : undefined;
    await this.show({ visit, application }, { notice });
  }

  @Post('applications/:clientId/secret')
  @Public()
  @RequireHttps()
  @RespondsPage()
  async rotate(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { visit, application } = await this.own(request, response, clientId);
    if (application.public) throw new ApiError('uriNotFound');
    const secret = await this.applications.rotateSecret(application.id);
    const fresh = await this.developers.own(visit.user, clientId);
    const own = { visit, application: fresh ?? application };
    await this.show(own, { secret, notice: visit.messages.developer.rotated }, 201);
  }

  @Post('applications/:clientId/settings')
  @Public()
  @RequireHttps()
  @RespondsPage()
  async save(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.own(request, response, clientId);
    const words = own.visit.messages.developer;
    const fault = await this.developers.update(words, own.application, formOf(request));
    if (fault === undefined) redirect(response, `${pathOf(clientId)}?did=save`);
    else await this.show(own, { fault }, 400);
  }

  @Post('applications/:clientId/request')
  @Public()
  @RequireHttps()
  @RespondsPage()
  async requestApproval(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.own(request, response, clientId);
    const requestForm = {
      scopes: fields(request, 'scope'),
      level: field(request, 'level'),
      reason: field(request, 'reason'),
      agreed: field(request, 'agreed') === 'yes',
    };
    const { messages, user } = own.visit;
    const fault = await this.developers.requestApproval(
      messages.developer,
      user,
      own.application,
      requestForm,
    );
    if (fault === undefined) redirect(response, `${pathOf(clientId)}?did=ask`);
    else await this.show(own, { fault, requestForm }, 400);
  }

  /** @throws ApiError 126 without a valid CSRF token or a signed-in user */
  private async signedInForm(request: ApiRequest, response: Response): Promise<UserSession> {
    const visit = await this.visits.requireCsrfToken(request, response);
    if (!visit.user) throw new ApiError('invalidRequestSource', { detail: 'no user is signed in' });
    return visit as UserSession;
  }

  /** @throws ApiError 126 like `signedInForm`, 1001 for an application of another user */
  private async own(request: ApiRequest, response: Response, clientId: string): Promise<Own> {
    const visit = await this.signedInForm(request, response);
    const application = await this.developers.own(visit.user, clientId);
    if (!application) throw new ApiError('uriNotFound');
    return { visit, application };
  }

  private async show(
    { visit, application }: Own,
    notices: Pick<ApplicationView, 'secret' | 'notice' | 'fault' | 'requestForm'>,
    status = 200,
  ): Promise<void> {
    const { limit_per_hour: own, level } = application;
    const perHour = own ?? this.limits.of(`LIMIT_USER_${level}`);
    const page = applicationPage(visit, {
      application,
      perHour: perHour === 0 ? null : perHour,
      use: await this.usage.usageOf(application.id),
      deprecated: deprecatedOperations(await this.deprecated.usesOf(application.id), this.routes),
      contact: this.settings.CONTACT,
      baseUrl: this.settings.baseUrl,
      day: this.day,
      ...notices,
    });
    sendPage(visit.response, page, { status });
  }
}
