import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { isDay } from '../../api/input/time';
import { readPage } from '../../api/resources/page';
import { AuditRepository, type AuditFilter } from '../../audit/audit.repository';
import { Settings } from '../../config/settings';
import { waitForDrain } from '../../web/wait-for-drain';
import { sendPage, setPageHeaders } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { textIn } from '../input';
import { LOG_COUNT, logPage, type LogFilter } from './log.pages';

const formFilter = (query: Readonly<Record<string, unknown>>): LogFilter => ({
  actor: textIn(query.actor),
  action: textIn(query.action),
  kind: textIn(query.kind),
  id: textIn(query.id),
  from: textIn(query.from),
  to: textIn(query.to),
});

/** Empty texts mean any. Days are those of the service's time zone; the last one is included. */
function filterOf({ from, to, ...texts }: LogFilter): AuditFilter {
  const given = Object.entries(texts).filter(([, value]) => value !== '');
  return {
    ...Object.fromEntries(given),
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? `${to} 24:00:00` : undefined,
  };
}

/** The audit log. */
@Controller('admin/log')
export class LogPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly log: AuditRepository,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const filter = formFilter(query);
    const page = await this.log.listShown(filterOf(filter), readPage(query, { count: LOG_COUNT }));
    sendPage(response, logPage(session, filter, page, this.settings.TIME_ZONE));
  }

  @Get('export')
  @ConsoleRoute()
  async export(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    setPageHeaders(response);
    response.type('application/x-ndjson');
    response.setHeader('Content-Disposition', 'attachment; filename="audit-log.ndjson"');
    for await (const row of this.log.scan(filterOf(formFilter(request.context.query)))) {
      if (response.destroyed) return;
      if (!response.write(`${JSON.stringify(row)}\n`)) await waitForDrain(response);
    }
    response.end();
  }
}
