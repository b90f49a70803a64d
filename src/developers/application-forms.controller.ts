import { Controller, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { type Response } from 'express';
import { field, fields } from '../accounts/browser-sessions.service';
import { ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { requireCurrentSecret, SecretReplaced } from '../oauth/application-secrets';
import { ApplicationsService } from '../oauth/applications.service';
import { PATHS } from '../web/layout';
import { PageFilter } from '../web/page.filter';
import { redirect, sendPage } from '../web/page-response';
import { PageRoute } from '../web/page-route';
import { formOf, formOfApplication } from './application-form';
import { DeveloperLog } from './developer-log';
import { DevelopersService } from './developers.service';
import { developersMessages } from './messages/messages';
import { NewSecrets } from './new-secrets';
import { OwnApplications } from './own-applications';
import { CURRENT_SECRET } from './pages/keys.page';
import { permissionsPage } from './pages/permissions.page';
import { settingsPage } from './pages/settings.page';
import { pathOf } from './paths';

/** The forms of an application's page. Each redirects to its tab, or shows it with the error. */
@Controller('service/developer/applications/:clientId')
@UseFilters(PageFilter)
export class ApplicationFormsController {
  constructor(
    private readonly own: OwnApplications,
    private readonly developers: DevelopersService,
    private readonly applications: ApplicationsService,
    private readonly newSecrets: NewSecrets,
    private readonly developerLog: DeveloperLog,
  ) {}

  /**
   * Replaces the current secret. A form that names another one changes nothing, because a repeated
   * form would end the secret that its first request has replaced.
   */
  @Post('secret')
  @PageRoute()
  async rotate(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application } = await this.own.openForm(request, response, clientId);
    if (application.public) throw new ApiError('uriNotFound');
    const keys = pathOf(clientId, 'keys');
    const current = field(request, CURRENT_SECRET);
    try {
      const secret = await this.applications.rotateSecret(application, {
        begin: (executor) => requireCurrentSecret(executor, application.id, current),
        end: (executor) => this.developerLog.log(executor, session, 'rotate_secret', clientId, {}),
      });
      this.newSecrets.storeInCookie(session, clientId, secret);
      redirect(response, `${keys}?did=rotate`);
    } catch (error) {
      if (!(error instanceof SecretReplaced)) throw error;
      redirect(response, keys);
    }
  }

  /** Creates the test key (D171). */
  @Post('test')
  @PageRoute()
  async createTestKey(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application } = await this.own.openForm(request, response, clientId);
    const made = await this.applications.createTestKey(application, (executor, key) =>
      this.developerLog.log(executor, session, 'create_test_key', clientId, {
        test_key: key.clientId,
      }),
    );
    if (!made) {
      redirect(response, pathOf(clientId, 'keys'));
      return;
    }
    if (made.clientSecret !== undefined)
      this.newSecrets.storeInCookie(session, made.clientId, made.clientSecret);
    redirect(response, `${pathOf(made.clientId, 'keys')}?did=test`);
  }

  @Post('test/delete')
  @PageRoute()
  async deleteTestKey(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application } = await this.own.openForm(request, response, clientId);
    const { test_of: ofId } = application;
    if (ofId === null) throw new ApiError('uriNotFound');
    // A blocked test key stays, as its application does.
    const deleted = await this.applications.delete(application, (executor) =>
      this.developerLog.log(executor, session, 'delete_test_key', ofId, { test_key: clientId }),
    );
    if (deleted) this.newSecrets.clear(session, clientId);
    redirect(response, `${pathOf(ofId, 'keys')}${deleted ? '?did=test-delete' : ''}`);
  }

  /** Hides a new secret. */
  @Post('keys/stored')
  @PageRoute()
  async stored(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session } = await this.own.openForm(request, response, clientId);
    this.newSecrets.clear(session, clientId);
    redirect(response, `${pathOf(clientId, 'keys')}?did=stored`);
  }

  @Post('settings')
  @PageRoute()
  async save(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application, view } = await this.own.openSettings(request, response, clientId);
    const form = formOf(request);
    const updated = await this.developers.update(
      session.messages,
      application,
      form,
      (executor, settings) =>
        this.developerLog.log(executor, session, 'update', clientId, settings),
    );
    if ('error' in updated) {
      const { error } = updated;
      sendPage(response, settingsPage({ ...view, form, error }), { status: 400 });
      return;
    }
    redirect(response, `${pathOf(clientId, 'settings')}?did=save`);
  }

  @Post('delete')
  @PageRoute()
  async delete(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application, view } = await this.own.openSettings(request, response, clientId);
    const words = developersMessages(session.messages.lang);
    const { name } = application;
    const confirmation = field(request, 'confirm');
    const error = await this.developers.delete(words, application, confirmation, (executor) =>
      this.developerLog.log(executor, session, 'delete', clientId, { name }),
    );
    if (error === undefined) {
      this.newSecrets.clear(session, clientId);
      redirect(response, `${PATHS.developer}?did=delete`);
      return;
    }
    const form = formOfApplication(application);
    sendPage(response, settingsPage({ ...view, form, error }), { status: 400 });
  }

  @Post('request')
  @PageRoute()
  async requestApproval(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application, view } = await this.own.openSettings(request, response, clientId);
    const requestForm = {
      scopes: fields(request, 'scope'),
      level: field(request, 'level'),
      reason: field(request, 'reason'),
      agreed: field(request, 'agreed') === 'yes',
    };
    const requested = await this.developers.requestApproval(
      session.messages.developer,
      session.user,
      application,
      requestForm,
      (executor, what) => this.developerLog.log(executor, session, 'request', clientId, what),
    );
    if ('error' in requested) {
      const { error } = requested;
      sendPage(response, permissionsPage({ ...view, error, requestForm }), { status: 400 });
      return;
    }
    redirect(response, `${pathOf(clientId, 'permissions')}?did=ask`);
  }
}
