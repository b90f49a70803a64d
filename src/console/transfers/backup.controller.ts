import { Controller, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { BackupError } from '../../backup/archive';
import { createBackup } from '../../backup/create';
import { OperationError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { AuditService } from '../../audit/audit.service';
import { Settings } from '../../config/settings';
import { setPageHeaders } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions, RESPONSE_SENT } from '../access/console-sessions.service';

/** Downloads of backups of the embedded database and the pictures. */
@Controller('admin/transfers/backup')
export class BackupPageController {
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
      const at = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
      const change = { actor, action: 'backup.create', kind: 'backup', id: at };
      await this.audit.log(change, { pictures: this.settings.PICTURES_S3_BUCKET === undefined });
      const stop = new AbortController();
      response.once('close', () => {
        stop.abort();
      });
      setPageHeaders(response);
      response.type('application/x-tar');
      response.setHeader('Content-Disposition', `attachment; filename="backup-${at}.tar"`);
      try {
        await createBackup(this.settings, response, stop.signal);
        response.end();
      } catch (error) {
        if (!response.headersSent && error instanceof BackupError)
          throw new OperationError(error.message);
        // The client notices by the missing end of the archive.
        response.destroy(error as Error);
      }
      return RESPONSE_SENT;
    });
  }
}
