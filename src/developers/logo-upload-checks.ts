import {
  Catch,
  Injectable,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import { type Response } from 'express';
import { PICTURE_LIMIT } from '../api/body/uploads';
import { toApiError } from '../api/errors/exception-to-error';
import { type ApiError } from '../api/errors/error-codes';
import { type ApiRequest } from '../api/http/request-context';
import { QuotaExceeded } from '../images/pictures.service';
import { PageFilter } from '../web/page.filter';
import { sendPage } from '../web/page-response';
import { formOfApplication } from './application-form';
import { type DevelopersMessages } from './messages/en';
import { developersMessages } from './messages/messages';
import { OwnApplications } from './own-applications';
import { settingsPage } from './pages/settings.page';

/** The field of a logo's form: one picture. The body interceptor receives it. */
export const LOGO_UPLOADS = { field: /^logo$/, max: 1 };

type UploadErrorCode = keyof DevelopersMessages['logo']['errors'];

/** Errors of uploads by name that the page explains; others are pages of their own. */
const ERROR_CODES: Readonly<Record<string, UploadErrorCode>> = {
  imageTooLarge: 'large',
  imageUnknown: 'format',
  imageWrongFormat: 'damaged',
};

/**
 * The code of the explanation; undefined for errors that have a page of their own. Other 400s mean
 * that the body is too large or has no picture.
 */
function toUploadError(error: ApiError, { headers }: ApiRequest): UploadErrorCode | undefined {
  if (error instanceof QuotaExceeded) return 'quota';
  if (error.error !== 'unknown' || error.status !== 400) return ERROR_CODES[error.error];
  return Number(headers['content-length']) > PICTURE_LIMIT ? 'large' : 'incomplete';
}

/** Admits only forms of signed-in developers before their body is received. */
@Injectable()
export class LogoUploadGuard implements CanActivate {
  constructor(private readonly own: OwnApplications) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    await this.own.admitUpload(http.getRequest<ApiRequest>(), http.getResponse<Response>());
    return true;
  }
}

/** Shows errors of an uploaded logo beside its field. The body interceptor and the handler throw them. */
@Catch()
@Injectable()
export class LogoUploadFilter implements ExceptionFilter {
  constructor(
    private readonly own: OwnApplications,
    private readonly pages: PageFilter,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const code = toUploadError(toApiError(exception, request.context), request);
    if (code === undefined || host.switchToHttp().getResponse<Response>().headersSent) {
      this.pages.catch(exception, host);
      return;
    }
    this.show(code, host).catch((error: unknown) => {
      this.pages.catch(error, host);
    });
  }

  private async show(code: UploadErrorCode, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<ApiRequest>(), http.getResponse<Response>()];
    const clientId = String(request.params.clientId);
    const own = await this.own.open(request, response, clientId, 'settings');
    if (!own) return;
    const { errors } = developersMessages(own.session.messages.lang).logo;
    const form = formOfApplication(own.application);
    const page = settingsPage({ ...own.view, form, logoError: errors[code] });
    sendPage(response, page, { status: 400 });
  }
}
