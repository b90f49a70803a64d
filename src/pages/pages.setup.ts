import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { getAbsoluteFSPath } from 'swagger-ui-dist';

/** The sample's pictures change only with a release. */
const MAX_AGE = '1d';

/** Serves files that belong to the program: the sample's pictures, the documentation's assets. */
export function setUpPages(app: NestExpressApplication): void {
  app.useStaticAssets(join(__dirname, '../sample/pictures'), {
    prefix: '/pictures/sample/',
    index: false,
    maxAge: MAX_AGE,
  });
  app.useStaticAssets(getAbsoluteFSPath(), {
    prefix: '/docs/assets/',
    index: false,
    maxAge: MAX_AGE,
  });
}
