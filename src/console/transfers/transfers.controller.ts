import { pipeline } from 'node:stream/promises';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminJobsService } from '../../admin/jobs.service';
import { malformed } from '../../api/errors/errors';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { Settings } from '../../config/settings';
import { RecordHandlers } from '../../import-export/engine/handlers';
import { ImportService, type ImportError } from '../../import-export/engine/import.service';
import { JOB_STATES, JOB_TYPES, MAX_ERRORS } from '../../import-export/jobs/job';
import { sendPage, setPageHeaders } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, requireId } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { TransferFiles } from './transfer-files';
import { dryRunPage, JOB_COUNT, jobPage, transfersPage } from './transfers.pages';

/** Largest file in bytes that the preview reads while the browser waits. */
const MAX_PREVIEW_BYTES = 20 * 1024 * 1024;
const SCRIPT = { hasScript: true, fetches: true };
const ERRORS = { start: 0, count: MAX_ERRORS };

const secondsBetween = (start: string | null, end: string | null): number => {
  if (start === null) return 0;
  // Times are in the time zone of the service; a running job has no end that could be compared.
  return end === null ? 0 : (Date.parse(`${end}Z`) - Date.parse(`${start}Z`)) / 1000;
};

/** Import and export jobs. */
@Controller('admin/transfers')
export class TransferPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly jobs: AdminJobsService,
    private readonly files: TransferFiles,
    private readonly handlers: RecordHandlers,
    private readonly imports: ImportService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { query } = request.context;
    const state = chosen(query.state, JOB_STATES, undefined);
    const page = await this.jobs.list(state, readPage(query, { count: JOB_COUNT }));
    const shown = {
      kinds: this.handlers.all.map(({ name }) => name),
      files: await this.files.listFiles(),
      folder: this.files.folder,
      state: state ?? '',
      isEmbedded: this.settings.DATABASE_URL === undefined,
    };
    sendPage(response, transfersPage(visit, shown, page), SCRIPT);
  }

  @Get('jobs/:id')
  @ConsoleRoute()
  async show(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const id = requireId(text);
    const job = await this.jobs.getJob(id);
    const { items } = await this.jobs.report(id, ERRORS);
    const seconds = secondsBetween(job.started, job.finished);
    sendPage(response, jobPage(visit, job, items, seconds), SCRIPT);
  }

  @Get('jobs/:id/errors')
  @ConsoleRoute()
  async errors(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('id') text: string,
  ): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { items } = await this.jobs.report(requireId(text), ERRORS);
    setPageHeaders(response);
    response.type('application/x-ndjson');
    response.setHeader('Content-Disposition', `attachment; filename="errors-${text}.ndjson"`);
    response.send(items.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }

  @Get('files/:name')
  @ConsoleRoute()
  async download(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('name') name: string,
  ): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { stream, bytes } = await this.files.openFile(name);
    setPageHeaders(response);
    response.type('application/octet-stream');
    response.setHeader('Content-Length', bytes);
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    await pipeline(stream, response).catch(() => response.destroy());
  }

  /** Validates a file without storing records. */
  @Post('preview')
  @ConsoleRoute()
  async preview(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async (visit) => {
      const input = { kind: field(request, 'kind'), path: field(request, 'path') };
      const handler = this.handlers.named(input.kind);
      const { stream, bytes } = await this.files.openFile(input.path);
      if (bytes > MAX_PREVIEW_BYTES)
        throw malformed(`the preview reads files of at most ${MAX_PREVIEW_BYTES} bytes`);
      const errors: ImportError[] = [];
      const onError = (error: ImportError): void => {
        if (errors.length < MAX_ERRORS) errors.push(error);
      };
      const options = { dryRun: true, onError };
      const summary = await this.imports.import(handler, input.path, stream, options);
      return dryRunPage(visit, input, summary, errors);
    });
  }

  @Post('start')
  @ConsoleRoute()
  async start(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, { dangerous: true }, async ({ actor }) => {
      const type = chosen(field(request, 'type'), JOB_TYPES, undefined);
      if (!type) throw malformed('unknown type of job');
      const input = { type, kind: field(request, 'kind'), path: field(request, 'path').trim() };
      const job = await this.jobs.start(input, actor);
      return withQuery(`${CONSOLE.transfers}/jobs/${job.id}`, { did: 'job' });
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
