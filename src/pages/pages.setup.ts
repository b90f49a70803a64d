import { type NestExpressApplication } from '@nestjs/platform-express';
import { dirname, join } from 'node:path';

// Its main module would load the whole page script; only the files are wanted.
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The sample's pictures change only with a release. */
const MAX_AGE = '1d';

/** Serves files that belong to the program: the sample's pictures, the documentation's assets. */
export function setUpPages(app: NestExpressApplication): void {
  app.useStaticAssets(join(__dirname, '../sample/pictures'), {
    prefix: '/pictures/sample/',
    index: false,
    maxAge: MAX_AGE,
  });
  app.useStaticAssets(SWAGGER_UI, {
    prefix: '/docs/assets/',
    index: false,
    maxAge: MAX_AGE,
  });
}
