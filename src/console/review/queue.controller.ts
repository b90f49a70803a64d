import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { AdminModerationQueueService } from '../../admin/moderation-queue.service';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { QUEUE_STATES } from '../../moderation/queue-entry';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen } from '../input';
import { CONSOLE } from '../paths';
import { ContentRepository } from './content.repository';
import { UndoableDecisionsRepository } from './undoable.repository';
import { handleDecisions } from './decisions';
import { highlightedTexts } from './highlight';
import { queuePage, QUEUE_COUNT } from './queue.pages';
import { QueuedTextsRepository } from './queued-texts.repository';

/** Texts that wait for a moderator. */
@Controller('admin/queue')
export class QueuePageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly queue: AdminModerationQueueService,
    private readonly content: ContentRepository,
    private readonly undoable: UndoableDecisionsRepository,
    private readonly queued: QueuedTextsRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query } = request.context;
    const state = chosen(query.state, QUEUE_STATES, 'open');
    const page = await this.queue.list(state, readPage(query, { count: QUEUE_COUNT }));
    const [find, earlier, undoable] = await Promise.all([
      this.content.findContent(page.items),
      this.queued.countEarlier(page.items.map(({ user_id }) => user_id)),
      this.undoable.listQueueDecisions(session.user.uid),
    ]);
    const texts = await highlightedTexts(
      page.items.map((row) => ({ text: find(row)?.text ?? row.excerpt, words: row.words })),
    );
    sendPage(response, queuePage(session, { state, page, find, texts, earlier, undoable }), {
      hasScript: true,
    });
  }

  @Post('decide')
  @ConsoleRoute()
  async decide(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await handleDecisions(this.sessions, request, response, {
      list: CONSOLE.queue,
      decisions: ['release', 'reject'] as const,
      decide: (decision, id, actor) => this.queue[decision](id, actor),
      undo: (id, actor, decision) => this.queue.reopen(id, actor, decision),
    });
  }
}
