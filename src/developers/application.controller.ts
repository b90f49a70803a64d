import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../api/http/request-context';
import { RouteTable } from '../api/routing/route-table';
import { Settings } from '../config/settings';
import { DeprecatedUsageService } from '../limits/deprecated-usage.service';
import { LimitValues } from '../limits/limit-values';
import { RequestReportsRepository } from '../limits/request-reports.repository';
import { UsageService } from '../limits/usage.service';
import { type ApplicationDetails } from '../oauth/applications.repository';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { PageRoute } from '../web/page-route';
import { formOfApplication } from './application-form';
import { developersMessages } from './messages/messages';
import { NewSecrets } from './new-secrets';
import { OwnApplications, type Own } from './own-applications';
import { deprecatedOperations } from './pages/deprecated.part';
import { failuresPage } from './pages/failures.page';
import { keysPage } from './pages/keys.page';
import { overviewPage } from './pages/overview.page';
import { permissionsPage } from './pages/permissions.page';
import { settingsPage } from './pages/settings.page';
import { usePage } from './pages/use.page';
import { pathOf, type Tab } from './paths';

/** The tabs of an application's page, for its developer. */
@Controller('service/developer/applications/:clientId')
@UseFilters(PageFilter)
export class ApplicationController {
  constructor(
    private readonly own: OwnApplications,
    private readonly newSecrets: NewSecrets,
    private readonly limits: LimitValues,
    private readonly usage: UsageService,
    private readonly reports: RequestReportsRepository,
    private readonly deprecated: DeprecatedUsageService,
    private readonly routes: RouteTable,
    private readonly settings: Settings,
  ) {}

  @Get()
  @PageRoute()
  async overview(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.open(request, response, clientId, 'overview');
    if (!own) return;
    const { application, view } = own;
    const uses = await this.deprecated.usesOf(application.id);
    const page = overviewPage({
      ...view,
      perHour: this.perHour(application),
      use: await this.usage.usageOf(application.id),
      deprecated: deprecatedOperations(uses, this.routes),
      baseUrl: this.settings.baseUrl,
    });
    sendPage(response, page);
  }

  @Get('keys')
  @PageRoute()
  async keys(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.open(request, response, clientId, 'keys');
    if (!own) return;
    const secret = this.newSecrets.read(own.session, clientId);
    sendPage(response, keysPage({ ...own.view, secret }));
  }

  @Get('permissions')
  @PageRoute()
  async permissions(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.open(request, response, clientId, 'permissions');
    if (own) sendPage(response, permissionsPage(own.view));
  }

  @Get('use')
  @PageRoute()
  async use(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.open(request, response, clientId, 'use');
    if (!own) return;
    const { id } = own.application;
    const [use, report] = await Promise.all([this.usage.usageOf(id), this.reports.findReport(id)]);
    sendPage(response, usePage({ ...own.view, use, report, now: Date.now() / 1000 }));
  }

  @Get('failures')
  @PageRoute()
  async failures(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.open(request, response, clientId, 'failures');
    if (!own) return;
    const failures = await this.reports.listFailures(own.application.id);
    sendPage(response, failuresPage({ ...own.view, failures }));
  }

  @Get('settings')
  @PageRoute()
  async showSettings(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const own = await this.open(request, response, clientId, 'settings');
    if (!own) return;
    const form = formOfApplication(own.application);
    sendPage(response, settingsPage({ ...own.view, form }));
  }

  /** Addresses of forms, for browsers that open them again. */
  @Get('secret')
  @PageRoute()
  secretForm(@Res() response: Response, @Param('clientId') clientId: string): void {
    redirect(response, pathOf(clientId, 'keys'));
  }

  @Get('request')
  @PageRoute()
  requestForm(@Res() response: Response, @Param('clientId') clientId: string): void {
    redirect(response, pathOf(clientId, 'permissions'));
  }

  @Get('test')
  @PageRoute()
  testForm(@Res() response: Response, @Param('clientId') clientId: string): void {
    redirect(response, pathOf(clientId, 'keys'));
  }

  @Get('delete')
  @PageRoute()
  deleteForm(@Res() response: Response, @Param('clientId') clientId: string): void {
    redirect(response, pathOf(clientId, 'settings'));
  }

  /** The application, with the message about the form that redirected to the tab. */
  private async open(
    request: ApiRequest,
    response: Response,
    clientId: string,
    tab: Tab,
  ): Promise<Own | undefined> {
    const own = await this.own.open(request, response, clientId, tab);
    if (!own) return undefined;
    const { developer: words, lang } = own.session.messages;
    const notices = new Map<unknown, string>([
      ['create', words.created],
      ['rotate', words.rotated],
      ['stored', developersMessages(lang).secretHidden],
      ['test', developersMessages(lang).test.created],
      ['test-delete', developersMessages(lang).test.deleted],
      ['ask', words.asked],
      ['save', words.saved],
      ['logo', developersMessages(lang).logo.saved],
      ['logo-delete', developersMessages(lang).logo.deleted],
    ]);
    const notice = notices.get(request.context.query.did);
    return { ...own, view: { ...own.view, notice } };
  }

  /** Requests per user and hour; null for no limit. */
  private perHour({ limit_per_hour: own, level }: ApplicationDetails): number | null {
    const perHour = own ?? this.limits.of(`LIMIT_USER_${level}`);
    return perHour === 0 ? null : perHour;
  }
}
