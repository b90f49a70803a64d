import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import multer from 'multer';
import { field } from '../../accounts/browser-sessions.service';
import { ApiError, malformed } from '../../api/errors/errors';
import { type ApiRequest } from '../../api/http/request-context';
import { AuditService } from '../../audit/audit.service';
import { createDirectory } from '../../config/directories';
import { ConsoleSessions } from '../access/console-sessions.service';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { isFileName, TransferFiles } from './transfer-files';

/** Name of the field with the file. */
export const FILE_FIELD = 'file';

/** Largest upload in bytes; larger files are copied to TRANSFER_DIR. */
const MAX_BYTES = 2 * 1024 ** 3;

/**
 * Receives files for imports into TRANSFER_DIR. It is middleware, because bodies of other routes
 * are read into memory. The session is checked before the body is read, the CSRF token before the
 * file is: the form has the token first.
 */
@Injectable()
export class UploadMiddleware implements NestMiddleware {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly files: TransferFiles,
    private readonly audit: AuditService,
  ) {}

  async use(request: ApiRequest, response: Response, next: NextFunction): Promise<void> {
    if (!request.is('multipart/form-data')) {
      next();
      return;
    }
    const draft = join(this.files.folder, `.upload-${request.context.id}`);
    try {
      if (!(await this.sessions.isAdministrator(request, response)))
        throw new ApiError('needPermission');
      await createDirectory(this.files.folder);
      const name = await this.receive(request, response, draft);
      await this.sessions.handle(request, response, {}, async ({ actor }) => {
        await rename(draft, join(this.files.folder, name));
        const entry = { actor, action: 'file.upload', kind: 'file', id: name };
        await this.audit.log(entry, { bytes: request.file?.size });
        return withQuery(CONSOLE.transfers, { did: 'uploaded' });
      });
    } catch (error) {
      next(error);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** @returns the name of the file */
  private receive(request: ApiRequest, response: Response, draft: string): Promise<string> {
    const folder = this.files.folder;
    const upload = multer({
      storage: multer.diskStorage({
        destination: folder,
        filename: (_request, _file, done) => done(null, draft.slice(folder.length + 1)),
      }),
      limits: { fileSize: MAX_BYTES, files: 1, fields: 5 },
      fileFilter: (_request, file, done) => {
        if (!isFileName(file.originalname))
          done(malformed('a file name must consist of letters, digits, ".", "_" and "-"'));
        else if (!this.sessions.isOwnForm(request, field(request, 'form_token')))
          done(new ApiError('invalidRequestSource'));
        else done(null, true);
      },
    }).single(FILE_FIELD);
    return new Promise((resolve, reject) => {
      void upload(request, response, (error: unknown) => {
        if (error) reject(error instanceof ApiError ? error : malformed((error as Error).message));
        else if (request.file) resolve(request.file.originalname);
        else reject(malformed('a file is required'));
      });
    });
  }
}
