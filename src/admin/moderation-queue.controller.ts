import { Controller, Get, Post } from '@nestjs/common';
import { EnumParam, QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { list, resource, str, time, oneOf } from '../api/resources/resource';
import { ExistingIdParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { QUEUED_TYPES } from '../moderation/moderation-queue.repository';
import { QUEUE_STATES, type QueueRow, type QueueState } from '../moderation/queue-entry';
import { CurrentAdministrator, Admin } from './admin-route';
import { AdminModerationQueueService } from './moderation-queue.service';

const QueuedText = resource('QueuedText', {
  id: { type: str(), about: 'Id of the entry.' },
  kind: { type: oneOf(...QUEUED_TYPES), about: 'Type of the text.' },
  target_id: { type: str(), about: 'Id of the text.' },
  user_id: { type: str(), about: 'Id of its author.' },
  uid: { type: str(), about: 'Uid of its author.' },
  words: { type: list(str()), about: 'Why it is in the queue.' },
  excerpt: { type: str(), about: 'Beginning of the text.' },
  created: { type: time(), about: 'Time when it was queued.' },
  state: { type: oneOf(...QUEUE_STATES), about: 'State of the entry.' },
  decided: { type: time(), about: 'Time of the decision.' },
  decided_by: { type: str(), about: 'Uid of the administrator who decided; empty when open.' },
});

class QueueQuery {
  @EnumParam(QUEUE_STATES, { about: 'Entries in this state.' })
  state: QueueState = 'open';
}

/** Administration of the moderation queue. */
@Controller('admin/v1/moderation/queue')
export class AdminModerationQueueController {
  constructor(private readonly queue: AdminModerationQueueService) {}

  @Get()
  @Admin('List texts in the moderation queue, oldest first')
  @RespondsList('queue', QueuedText)
  list(
    @QueryInput(QueueQuery) { state }: QueueQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<QueueRow>> {
    return this.queue.list(state, page);
  }

  @Get(':id')
  @Admin('Get a text in the queue')
  @Responds(QueuedText)
  getEntry(@ExistingIdParam('id') id: number): Promise<QueueRow> {
    return this.queue.getEntry(id);
  }

  @Post(':id/release')
  @Admin('Release a text: others can see it')
  @Responds(QueuedText)
  release(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<QueueRow> {
    return this.queue.release(id, actor);
  }

  @Post(':id/reject')
  @Admin('Reject a text: only its author can see it')
  @Responds(QueuedText)
  reject(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<QueueRow> {
    return this.queue.reject(id, actor);
  }
}
