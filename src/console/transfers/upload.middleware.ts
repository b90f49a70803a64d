import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Response } from 'express';
import multer from 'multer';
import { field } from '../../accounts/browser-sessions.service';
import { InputError, requireSupported, TransferFolder } from '../../admin/transfer-folder';
import { ApiError } from '../../api/errors/error-codes';
import { isFileError } from '../../api/errors/file-errors';
import { type ApiRequest } from '../../api/http/request-context';
import { AuditService } from '../../audit/audit.service';
import { publishNew } from '../../config/publish-file';
import { isTransferName } from '../../import-export/jobs/transfer-names';
import { redirect } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleSessions } from '../access/console-sessions.service';
import { CONSOLE } from '../paths';
import { rejectedFormPath } from './rejected-form';
import { FILE_FIELD, type TransferErrorCode } from './transfers.pages';

/** Largest upload in bytes; larger files are copied to TRANSFER_DIR. */
const MAX_BYTES = 2 * 1024 ** 3;

/** Start of the name of a file that arrives. */
const DRAFT = '.upload-';

/** Milliseconds without a byte after which nothing writes to a draft any more. */
const ABANDONED_MS = 3_600_000;

/** Thrown for a file that is not accepted. */
class RejectedUpload extends Error {
  constructor(readonly code: TransferErrorCode) {
    super(code);
  }
}

/**
 * Receives files for imports into TRANSFER_DIR. It is middleware, because bodies of other routes
 * are read into memory. The session is checked before the body is read, the CSRF token before the
 * file is: the form has the token first.
 */
@Injectable()
export class UploadMiddleware implements NestMiddleware {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly folder: TransferFolder,
    private readonly audit: AuditService,
  ) {}

  async use(request: ApiRequest, response: Response, next: NextFunction): Promise<void> {
    if (!request.is('multipart/form-data')) {
      next();
      return;
    }
    // The client chooses the id of the request, so two uploads could have the same.
    const draft = join(this.folder.path, `${DRAFT}${randomUUID()}`);
    try {
      if (!(await this.sessions.isAdministrator(request, response)))
        throw new ApiError('needPermission');
      await this.folder.ensureFolder();
      await deleteAbandonedDrafts(this.folder.path);
      // The file may contain private texts, and multer keeps its mode.
      await writeFile(draft, '', { flag: 'wx', mode: 0o600 });
      const name = await this.receive(request, response, draft);
      await this.sessions.handle(request, response, {}, async ({ actor }) => {
        await this.requireAccepted(draft);
        const replaced = await this.publish(request, draft, name);
        const entry = { actor, action: 'file.upload', kind: 'file', id: name };
        await this.audit.log(entry, { bytes: request.file?.size, replaced });
        return withQuery(CONSOLE.transfers, { did: 'uploaded', path: name });
      });
    } catch (error) {
      // RejectedUpload is thrown after the CSRF check only, so the redirect reveals nothing to
      // other sites.
      if (error instanceof RejectedUpload) redirect(response, rejectedFormPath(error.code));
      else next(error);
    } finally {
      // A later upload deletes it if the disk fails.
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /**
   * Gives a file its name.
   * @returns whether it replaced another one
   * @throws RejectedUpload when another file has the name, unless the form allows to replace it
   */
  private async publish(request: ApiRequest, draft: string, name: string): Promise<boolean> {
    const path = join(this.folder.path, name);
    if (!(await this.findReplaced(request, name))) {
      if (await publishNew(draft, path)) return false;
      // Another upload or an export has created the file meanwhile.
      if (!(await this.findReplaced(request, name))) throw new RejectedUpload('exists');
    }
    await rename(draft, path);
    return true;
  }

  /** Whether the file replaces another one. @throws RejectedUpload unless the form allows it */
  private async findReplaced(request: ApiRequest, name: string): Promise<boolean> {
    const existing = await this.folder.findFile(name);
    if (!existing) return false;
    if (existing.type === 'file' && field(request, 'replace') === 'yes') return true;
    throw new RejectedUpload('exists');
  }

  /** @throws RejectedUpload for a file that no import can read */
  private async requireAccepted(draft: string): Promise<void> {
    try {
      await requireSupported(createReadStream(draft));
    } catch (error) {
      throw error instanceof InputError ? new RejectedUpload(error.code) : error;
    }
  }

  /** @throws RejectedUpload before the file is read, for a name that cannot be used */
  private async requireName(request: ApiRequest, name: string): Promise<void> {
    if (!this.sessions.isOwnForm(request, field(request, 'form_token')))
      throw new ApiError('invalidRequestSource');
    if (!isTransferName(name)) throw new RejectedUpload('name');
    await this.findReplaced(request, name);
  }

  /** @returns the name of the file */
  private receive(request: ApiRequest, response: Response, draft: string): Promise<string> {
    const folder = this.folder.path;
    const upload = multer({
      storage: multer.diskStorage({
        destination: folder,
        filename: (_request, _file, done) => done(null, draft.slice(folder.length + 1)),
      }),
      limits: { fileSize: MAX_BYTES, files: 1, fields: 5 },
      fileFilter: (_request, file, done) => {
        this.requireName(request, file.originalname).then(
          () => {
            done(null, true);
          },
          (error: unknown) => {
            done(error as Error);
          },
        );
      },
    }).single(FILE_FIELD);
    return new Promise((resolve, reject) => {
      void upload(request, response, (error: unknown) => {
        if (error) reject(toRejection(error as Error));
        else if (request.file) resolve(request.file.originalname);
        else if (this.sessions.isOwnForm(request, field(request, 'form_token')))
          reject(new RejectedUpload('file'));
        else reject(new ApiError('invalidRequestSource'));
      });
    });
  }
}

/** Deletes what uploads to killed processes left. */
async function deleteAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(DRAFT)) continue;
    const draft = join(folder, name);
    // Another upload may delete it meanwhile.
    const stats = await stat(draft).catch(() => undefined);
    if (stats && stats.mtimeMs < Date.now() - ABANDONED_MS) await rm(draft, { force: true });
  }
}

function toRejection(error: Error): Error {
  if (error instanceof ApiError || error instanceof RejectedUpload || isFileError(error))
    return error;
  const isTooLarge = (error as { code?: unknown }).code === 'LIMIT_FILE_SIZE';
  return new RejectedUpload(isTooLarge ? 'size' : 'upload');
}
