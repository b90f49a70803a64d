import express, { type NextFunction, type Request, type Response } from 'express';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { dirname, join } from 'node:path';

// Its main module would load the whole page script; only the files are wanted.
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** Of its files, those that the documentation page loads. */
const ASSETS = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']);

/** The sample's pictures change only with a release. */
const MAX_AGE = '1d';

/** Serves files that belong to the program: the sample's pictures, the documentation's assets. */
export function setUpPages(app: NestExpressApplication): void {
  app.useStaticAssets(join(__dirname, '../sample/pictures'), {
    prefix: '/pictures/sample/',
    index: false,
    redirect: false,
    maxAge: MAX_AGE,
  });
  const assets = express.static(SWAGGER_UI, { index: false, redirect: false, maxAge: MAX_AGE });
  app.use('/docs/assets', (request: Request, response: Response, next: NextFunction) => {
    if (ASSETS.has(request.path)) void assets(request, response, next);
    else next();
  });
}
