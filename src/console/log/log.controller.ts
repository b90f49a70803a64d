import { once } from 'node:events';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { AuditRepository, type AuditFilter } from '../../audit/audit.repository';
import { sendPage, setPageHeaders } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { textIn } from '../input';
import { LOG_COUNT, logPage, type LogFilter } from './log.pages';

const DAY_MS = 86_400_000;

const formFilter = (query: Readonly<Record<string, unknown>>): LogFilter => ({
  actor: textIn(query.actor),
  action: textIn(query.action),
  kind: textIn(query.kind),
  id: textIn(query.id),
  from: textIn(query.from),
  to: textIn(query.to),
});

/** The beginning of a day in UTC; undefined for other texts. */
const dayOf = (text: string): Date | undefined => {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) ? day : undefined;
};

/** Empty texts mean any; the last day is included. */
function filterOf({ from, to, ...texts }: LogFilter): AuditFilter {
  const given = Object.entries(texts).filter(([, value]) => value !== '');
  const last = dayOf(to);
  return {
    ...Object.fromEntries(given),
    from: dayOf(from),
    to: last && new Date(last.getTime() + DAY_MS),
  };
}

/** The audit log. */
@Controller('admin/log')
export class LogPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly log: AuditRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { query } = request.context;
    const filter = formFilter(query);
    const page = await this.log.list(filterOf(filter), readPage(query, { count: LOG_COUNT }));
    sendPage(response, logPage(visit, filter, page));
  }

  @Get('export')
  @ConsoleRoute()
  async export(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    setPageHeaders(response);
    response.type('application/x-ndjson');
    response.setHeader('Content-Disposition', 'attachment; filename="audit-log.ndjson"');
    for await (const row of this.log.scan(filterOf(formFilter(request.context.query)))) {
      if (response.destroyed) return;
      if (!response.write(`${JSON.stringify(row)}\n`)) {
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    }
    response.end();
  }
}
