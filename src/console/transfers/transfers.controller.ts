import { type Readable } from 'node:stream';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { ImportPreviewService, PreviewBusyError } from '../../admin/import-preview.service';
import { AdminJobsService, type AdminJob } from '../../admin/jobs.service';
import { InputError, TransferFolder, type TransferFile } from '../../admin/transfer-folder';
import { malformed } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { sendStream } from '../../api/http/send-stream';
import { readPage } from '../../api/resources/page';
import { AuditService } from '../../audit/audit.service';
import { Settings } from '../../config/settings';
import { RecordHandlers } from '../../import-export/engine/handlers';
import { JOB_STATES, JOB_TYPES, MAX_ERRORS } from '../../import-export/jobs/job';
import { isTransferName } from '../../import-export/jobs/transfer-names';
import { type Html } from '../../web/html';
import { sendPage, setPageHeaders } from '../../web/page-response';
import { withQuery } from '../../web/with-query';
import { ConsoleRoute } from '../access/console-route';
import { actorOf, ConsoleSessions, type ConsoleSession } from '../access/console-sessions.service';
import { chosen, requireId, textIn } from '../input';
import { TRANSFER_ERRORS } from '../messages/transfer-errors';
import { CONSOLE } from '../paths';
import { jobPage } from './job.pages';
import { exportFilesPage, importPreviewPage } from './preview.pages';
import { rejectedFormPath } from './rejected-form';
import {
  JOB_COUNT,
  transfersPage,
  type TransferErrorCode,
  type TransferInput,
} from './transfers.pages';

const SCRIPT = { hasScript: true, fetches: true };
const ERRORS = { start: 0, count: MAX_ERRORS };
const ERROR_CODES = Object.keys(TRANSFER_ERRORS.en) as TransferErrorCode[];

/** The name of an export without one: its kind, the time in UTC, and the extension of a file. */
function nameOfExport(kind: string): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return kind === 'all' ? `full-${time}` : `${kind}-${time}.ndjson.gz`;
}

/** Import and export jobs. */
@Controller('admin/transfers')
export class TransferPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly jobs: AdminJobsService,
    private readonly previews: ImportPreviewService,
    private readonly folder: TransferFolder,
    private readonly handlers: RecordHandlers,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const state = chosen(query.state, JOB_STATES, undefined);
    const page = await this.jobs.list(state, readPage(query, { count: JOB_COUNT }));
    const shown = {
      kinds: this.handlers.all.map(({ name }) => name),
      files: await this.folder.listFiles(),
      folder: this.folder.path,
      state: state ?? '',
      isEmbedded: this.settings.DATABASE_URL === undefined,
      input: { type: textIn(query.type), kind: textIn(query.kind), path: textIn(query.path) },
      error: chosen(query.failed, ERROR_CODES, undefined),
    };
    sendPage(response, transfersPage(session, shown, page), SCRIPT);
  }

  @Get('jobs/:id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const id = requireId(text);
    const job = await this.jobs.getJob(id);
    const { items: errors } = await this.jobs.report(id, ERRORS);
    const result = await this.findResult(job);
    sendPage(response, jobPage(session, { job, errors, result }), SCRIPT);
  }

  /** The file or folder of a finished export, unless a command wrote it elsewhere. */
  private async findResult(job: AdminJob): Promise<TransferFile | undefined> {
    if (job.type !== 'export' || job.state !== 'done' || job.from_cli) return undefined;
    return this.folder.findFile(job.path);
  }

  @Get('jobs/:id/errors')
  @ConsoleRoute()
  async errors(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { items } = await this.jobs.report(requireId(text), ERRORS);
    setPageHeaders(response);
    response.type('application/x-ndjson');
    response.setHeader('Content-Disposition', `attachment; filename="errors-${text}.ndjson"`);
    response.send(items.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }

  @Get('files/:name')
  @ConsoleRoute()
  async downloadFile(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('name') name: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    await this.logDownload(session, name, 'file');
    await sendFile(response, name, await this.folder.openFile(name));
  }

  /** A full export as one archive. */
  @Get('exports/:name')
  @ConsoleRoute()
  async downloadExport(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('name') name: string,
  ): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    await this.logDownload(session, name, 'export');
    const archive = await this.folder.openArchive(name);
    await sendFile(response, `${name}.tar`, { ...archive, type: 'application/x-tar' });
  }

  /** Logs a download, because the file may contain private texts of users. */
  private async logDownload(
    session: ConsoleSession,
    name: string,
    type: TransferFile['type'],
  ): Promise<void> {
    const file = await this.folder.findFile(name);
    if (file?.type !== type) return;
    const change = { actor: actorOf(session), action: 'file.download', kind: 'file', id: name };
    await this.audit.log(change, { bytes: file.bytes });
  }

  /** Shows what an import would do, without storing records. */
  @Post('preview')
  @ConsoleRoute()
  async preview(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const signal = request.context.presence.signal();
    await this.sessions
      .handle(request, response, {}, (session) => {
        const input = {
          type: 'import',
          kind: field(request, 'kind'),
          path: field(request, 'path'),
        };
        return unlessRejected(input, async () =>
          input.kind === 'all'
            ? exportFilesPage(session, input, await this.previews.listExportFiles(input.path))
            : importPreviewPage(
                session,
                input,
                await this.previews.preview(input.kind, input.path, signal),
              ),
        );
      })
      .catch((error: unknown) => {
        // The client disconnected: there is no response to send.
        if (!signal.aborted) throw error;
      });
  }

  @Post('start')
  @ConsoleRoute()
  async start(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const type = chosen(field(request, 'type'), JOB_TYPES, undefined);
      if (!type) throw malformed('unknown type of job');
      const kind = field(request, 'kind');
      const entered = field(request, 'path').trim();
      const path = type === 'export' && entered === '' ? nameOfExport(kind) : entered;
      const input = { type, kind, path };
      if (!isTransferName(path)) return rejectedFormPath(path === '' ? 'file' : 'name', input);
      if (type === 'export' && (await this.folder.findFile(path)))
        return rejectedFormPath('target', input);
      return unlessRejected(input, async () => {
        const job = await this.jobs.startAfterFileCheck(input, actor);
        return withQuery(`${CONSOLE.transfers}/jobs/${job.id}`, { did: 'job' });
      });
    });
  }

  @Post('jobs/:id/cancel')
  @ConsoleRoute()
  async cancel(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const job = await this.jobs.cancel(requireId(text), actor);
      return withQuery(`${CONSOLE.transfers}/jobs/${job.id}`, { did: 'cancelled' });
    });
  }
}

/** The result of `work`, or the address of the form when its file cannot be imported. */
async function unlessRejected(
  { type, kind, path }: TransferInput,
  work: () => Promise<string | Html>,
): Promise<string | Html> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PreviewBusyError) return rejectedFormPath('busy', { type, kind, path });
    if (error instanceof InputError) return rejectedFormPath(error.code, { type, kind, path });
    throw error;
  }
}

/** Sends a download. The client notices a failure by the missing end. */
async function sendFile(
  response: Response,
  name: string,
  {
    stream,
    bytes,
    type = 'application/octet-stream',
  }: { readonly stream: Readable; readonly bytes: number; readonly type?: string },
): Promise<void> {
  setPageHeaders(response);
  response.type(type);
  response.setHeader('Content-Length', bytes);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  await sendStream(stream, response).catch(() => response.destroy());
}
