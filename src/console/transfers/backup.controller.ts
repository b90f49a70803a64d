import { Controller, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { BackupError } from '../../backup/archive';
import { createBackup } from '../../backup/create';
import { OperationError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { allowListeners } from '../../api/http/send-stream';
import { AuditService, type Actor } from '../../audit/audit.service';
import { Settings } from '../../config/settings';
import { setPageHeaders } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions, RESPONSE_SENT } from '../access/console-sessions.service';

/** Downloads of backups of the embedded database and the pictures, one at a time in a process. */
@Controller('admin/transfers/backup')
export class BackupPageController {
  private isRunning = false;

  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  /** Sends the backup while it is made, so that it needs no space on the disk. */
  @Post()
  @ConsoleRoute()
  async create(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      if (this.settings.DATABASE_URL !== undefined)
        throw new OperationError('the database is not embedded: back it up with its own tools');
      // Each reads the whole database, and PostgreSQL serves few of them at once.
      if (this.isRunning)
        throw new OperationError('another backup is being downloaded: wait until it is complete');
      this.isRunning = true;
      try {
        await this.download(response, actor);
      } finally {
        this.isRunning = false;
      }
      return RESPONSE_SENT;
    });
  }
  private async download(response: Response, actor: Actor): Promise<void> {
    const at = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const change = { actor, action: 'backup.create', kind: 'backup', id: at };
    await this.audit.log(change, { pictures: this.settings.PICTURES_S3_BUCKET === undefined });
    const stop = new AbortController();
    allowListeners(response);
    response.once('close', () => {
      stop.abort();
    });
    setPageHeaders(response);
    response.status(200);
    response.type('application/gzip');
    response.setHeader('Content-Disposition', `attachment; filename="backup-${at}.tar.gz"`);
    try {
      await createBackup(this.settings, response, stop.signal);
      response.end();
    } catch (error) {
      if (!response.headersSent && error instanceof BackupError)
        throw new OperationError(error.message);
      // The client notices by the missing end of the archive.
      response.destroy(error as Error);
    }
  }
}
