import { Controller, Get, Post } from '@nestjs/common';
import { EnumParam, QueryInput } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { list, resource, str, time, oneOf } from '../api/resources/resource';
import { ExistingIdParam, Paging, Responds, RespondsList } from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { HELD_KINDS } from '../moderation/moderation-queue.repository';
import { HELD_STATES, type HeldRow, type HeldState } from '../moderation/moderation-queue.service';
import { Acting, Admin } from './admin-route';
import { AdminHeldService } from './moderation-queue.service';

const HeldText = resource('HeldText', {
  id: { type: str() },
  kind: { type: oneOf(...HELD_KINDS) },
  target_id: { type: str() },
  user_id: { type: str() },
  uid: { type: str() },
  words: { type: list(str()), about: 'What it was held back for.' },
  excerpt: { type: str() },
  created: { type: time() },
  state: { type: oneOf(...HELD_STATES) },
  decided: { type: time() },
  decided_by: { type: str() },
});

class HeldQuery {
  @EnumParam(HELD_STATES)
  state: HeldState = 'open';
}

/** Texts that wait for a moderator, for administrators. */
@Controller('admin/v1/held')
export class AdminHeldController {
  constructor(private readonly held: AdminHeldService) {}

  @Get()
  @Admin('Texts that wait for somebody to look at them, the oldest first')
  @RespondsList('held', HeldText)
  list(
    @QueryInput(HeldQuery) { state }: HeldQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<HeldRow>> {
    return this.held.list(state, page);
  }

  @Get(':id')
  @Admin('A held text')
  @Responds(HeldText)
  show(@ExistingIdParam('id') id: number): Promise<HeldRow> {
    return this.held.show(id);
  }

  @Post(':id/release')
  @Admin('Let others see a text')
  @Responds(HeldText)
  release(@ExistingIdParam('id') id: number, @Acting() actor: Actor): Promise<HeldRow> {
    return this.held.release(id, actor);
  }

  @Post(':id/reject')
  @Admin('Leave a text to its author alone')
  @Responds(HeldText)
  reject(@ExistingIdParam('id') id: number, @Acting() actor: Actor): Promise<HeldRow> {
    return this.held.reject(id, actor);
  }
}
