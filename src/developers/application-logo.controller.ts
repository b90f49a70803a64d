import { Controller, Get, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { malformed } from '../api/errors/error-codes';
import { type PictureUpload } from '../api/body/uploads';
import { type ApiRequest } from '../api/http/request-context';
import { UploadedPictures, Uploads } from '../api/routing/route';
import { type SqlExecutor } from '../database/database';
import { ingestNumbered } from '../images/numbered-pictures';
import { PicturesService } from '../images/pictures.service';
import { ApplicationsService } from '../oauth/applications.service';
import { PageFilter } from '../web/page.filter';
import { redirect } from '../web/page-response';
import { PageRoute } from '../web/page-route';
import { DeveloperLog } from './developer-log';
import { LOGO_UPLOADS, LogoUploadFilter, LogoUploadGuard } from './logo-upload-checks';
import { OwnApplications } from './own-applications';
import { pathOf } from './paths';

/** The logo of an application, for its developer. */
@Controller('service/developer/applications/:clientId/logo')
@UseFilters(PageFilter)
export class ApplicationLogoController {
  constructor(
    private readonly own: OwnApplications,
    private readonly applications: ApplicationsService,
    private readonly pictures: PicturesService,
    private readonly developerLog: DeveloperLog,
  ) {}

  /** The address of the form, for browsers that open it again. */
  @Get()
  @PageRoute()
  form(@Res() response: Response, @Param('clientId') clientId: string): void {
    redirect(response, pathOf(clientId, 'settings'));
  }

  @Post()
  @PageRoute()
  @Uploads(LOGO_UPLOADS)
  @UseGuards(LogoUploadGuard)
  @UseFilters(LogoUploadFilter)
  async upload(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
    @UploadedPictures() uploads: readonly PictureUpload[],
  ): Promise<void> {
    const { session } = await this.own.openUpload(request, response, clientId);
    const files = uploads.map(({ file }) => ({ number: 1, file }));
    const [ingested] = await ingestNumbered(this.pictures, session.user.id, files);
    if (!ingested) throw malformed('the form has no picture');
    const { picture } = ingested;
    await this.applications.replaceLogo(clientId, picture, {
      end: (executor) =>
        this.developerLog.log(executor, session, 'set_logo', clientId, { logo: picture.path }),
    });
    redirect(response, `${pathOf(clientId, 'settings')}?did=logo`);
  }

  @Post('delete')
  @PageRoute()
  async delete(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    const { session, application } = await this.own.openSettings(request, response, clientId);
    const log = (executor: SqlExecutor): Promise<void> =>
      this.developerLog.log(executor, session, 'delete_logo', clientId, { logo: null });
    // The log has no entries for forms that change nothing.
    await this.applications.deleteLogo(clientId, application.logo === null ? {} : { end: log });
    redirect(response, `${pathOf(clientId, 'settings')}?did=logo-delete`);
  }
}
