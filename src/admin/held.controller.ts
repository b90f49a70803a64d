import { Controller, Get, Post } from '@nestjs/common';
import { Choice, QueryInput } from '../api/input';
import { type Page, type PageQuery } from '../api/page';
import { list, resource, str, time, word } from '../api/resource';
import { ThingParam, Paging, Responds, RespondsList } from '../api/route';
import { type Actor } from '../audit/audit.service';
import { HELD_KINDS } from '../moderation/held.repository';
import { HELD_STATES, type HeldRow, type HeldState } from '../moderation/held.service';
import { Acting, Admin } from './admin-route';
import { AdminHeldService } from './held.service';

const HeldText = resource('HeldText', {
  id: { type: str() },
  kind: { type: word(...HELD_KINDS) },
  target_id: { type: str() },
  user_id: { type: str() },
  uid: { type: str() },
  words: { type: list(str()), about: 'What it was held back for.' },
  excerpt: { type: str() },
  created: { type: time() },
  state: { type: word(...HELD_STATES) },
  decided: { type: time() },
  decided_by: { type: str() },
});

class HeldQuery {
  @Choice(HELD_STATES)
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
  show(@ThingParam('id') id: number): Promise<HeldRow> {
    return this.held.show(id);
  }

  @Post(':id/release')
  @Admin('Let others see a text')
  @Responds(HeldText)
  release(@ThingParam('id') id: number, @Acting() actor: Actor): Promise<HeldRow> {
    return this.held.release(id, actor);
  }

  @Post(':id/reject')
  @Admin('Leave a text to its author alone')
  @Responds(HeldText)
  reject(@ThingParam('id') id: number, @Acting() actor: Actor): Promise<HeldRow> {
    return this.held.reject(id, actor);
  }
}
