import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../api/errors/error-codes';
import { isMissingFile } from '../api/errors/file-errors';
import { Public, RespondsPage } from '../api/routing/route';
import { PageLimitGuard } from '../web/page-limit.guard';

/** The package that the build writes (src/build-client.js). */
const PACKAGE = join(__dirname, '../../clients/commonplace-client.tgz');

/** The TypeScript client as a package, which npm installs from this address. */
@Controller('docs')
@UseGuards(PageLimitGuard)
export class ClientPackageController {
  private bytes: Buffer | undefined;

  /** @throws ApiError 1001 if the server runs without a build */
  @Get('commonplace-client.tgz')
  @Public()
  @RespondsPage()
  get(@Res() response: Response): void {
    try {
      this.bytes ??= readFileSync(PACKAGE);
    } catch (cause) {
      if (!isMissingFile(cause)) throw cause;
      throw new ApiError('uriNotFound', { detail: 'the package is not built', cause });
    }
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.type('application/gzip').send(this.bytes);
  }
}
