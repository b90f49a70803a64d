import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field, fields } from '../../accounts/browser-sessions.service';
import { AdminModerationQueueService } from '../../admin/moderation-queue.service';
import { malformed } from '../../api/errors/errors';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { type Actor } from '../../audit/audit.service';
import { QUEUE_STATES } from '../../moderation/moderation-queue.service';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, idsIn, textIn } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { queuePage, QUEUE_COUNT } from './queue.pages';
import { QueuedTextsRepository } from './queued-texts.repository';

const DECISIONS = ['release', 'reject', 'undo'] as const;
type Decision = (typeof DECISIONS)[number];

/** Texts that wait for a moderator. */
@Controller('admin/queue')
export class QueuePageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly queue: AdminModerationQueueService,
    private readonly texts: QueuedTextsRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const visit = await this.sessions.open(request, response);
    if (!visit) return;
    const { query } = request.context;
    const state = chosen(query.state, QUEUE_STATES, 'open');
    const page = await this.queue.list(state, readPage(query, { count: QUEUE_COUNT }));
    const texts = await this.texts.listTexts(page.items.map(({ id }) => id));
    const undo = idsIn(textIn(query.undo).split(','));
    sendPage(response, queuePage(visit, { state, page, texts, undo }), { hasScript: true });
  }

  @Post('decide')
  @ConsoleRoute()
  async decide(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const decision = chosen(field(request, 'decision'), DECISIONS, undefined);
      if (!decision) throw malformed('unknown decision');
      const ids = idsIn(fields(request, 'id'));
      for (const id of ids) await this.decideOne(decision, id, actor);
      const undo = decision === 'undo' ? undefined : ids.join(',');
      return withQuery(CONSOLE.queue, { undo });
    });
  }

  private decideOne(decision: Decision, id: number, actor: Actor): Promise<unknown> {
    if (decision === 'release') return this.queue.release(id, actor);
    if (decision === 'reject') return this.queue.reject(id, actor);
    return this.queue.reopen(id, actor);
  }
}
