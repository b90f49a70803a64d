import express, { type NextFunction, type Request, type Response } from 'express';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { dirname, join } from 'node:path';
import { setErrorPage } from '../api/errors/error-body';
import { writeErrorPage } from '../web/error-page';

// The package's main module would load the complete page script, but only its files are needed.
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The package's files that the documentation page loads. */
const ASSETS = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']);

/** The sample's pictures only change with a release. */
const MAX_AGE = '1d';

/** Sets the error page, and serves static files: sample pictures and assets of the documentation. */
export function setUpPages(app: NestExpressApplication): void {
  setErrorPage(writeErrorPage);
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
