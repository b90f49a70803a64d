import { type NestExpressApplication } from '@nestjs/platform-express';
import { join } from 'node:path';
import { setErrorPage, setProblemType } from '../api/errors/error-body';
import { Settings } from '../config/settings';
import { writeErrorPage } from '../web/error-page';

/** The sample's pictures only change with a release. */
const MAX_AGE = '1d';

/** Sets the error page and the types of problems (D135), and serves the pictures of the sample. */
export function setUpPages(app: NestExpressApplication): void {
  setErrorPage(writeErrorPage);
  const settings = app.get(Settings, { strict: false });
  setProblemType((code) => `${settings.baseUrl}/docs/errors/${code}`);
  app.useStaticAssets(join(__dirname, '../sample/pictures'), {
    prefix: '/pictures/sample/',
    index: false,
    redirect: false,
    maxAge: MAX_AGE,
  });
}
