import { Controller, Delete, Post } from '@nestjs/common';
import { type CallingUser } from '../api/access/access';
import { BodyInput } from '../api/input/input';
import {
  IdParam,
  RequireUser,
  RespondsJson,
  RequireScope,
  OperationId,
  Summary,
  CurrentUser,
} from '../api/routing/route';
import { type TransactionHooks } from '../database/database';
import { CurrentHooks } from '../idempotency/key-attempt';
import { ParticipationWrite } from './events.input';
import { EventsService } from './events.service';

/** An empty response body (D38). */
const NOTHING = { type: 'object', properties: {}, additionalProperties: false };

/** Participation and interest, which are independent and idempotent (D38). */
@Controller('v2/event')
export class ParticipationsController {
  constructor(private readonly events: EventsService) {}

  @Post(':id/participants')
  @RequireScope('event_basic_w')
  @RequireUser()
  @RespondsJson(NOTHING, { status: 202 })
  @OperationId('participateInEvent')
  @Summary('Take part in an event; again: on another day')
  participate(
    @IdParam('id') id: number,
    @BodyInput(ParticipationWrite) { participate_date }: ParticipationWrite,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<object> {
    return this.events.join(user.id, id, { kind: 'participate', day: participate_date }, hooks);
  }

  @Delete(':id/participants')
  @RequireScope('event_basic_w')
  @RequireUser()
  @RespondsJson(NOTHING, { status: 202 })
  @OperationId('cancelEventParticipation')
  @Summary('Take part in an event no longer')
  stay(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<object> {
    return this.events.leave(user.id, id, 'participate');
  }

  @Post(':id/wishers')
  @RequireScope('event_basic_w')
  @RequireUser()
  @RespondsJson(NOTHING, { status: 202 })
  @OperationId('wishEvent')
  @Summary('Be interested in an event')
  wish(
    @IdParam('id') id: number,
    @CurrentUser() user: CallingUser,
    @CurrentHooks() hooks: TransactionHooks | undefined,
  ): Promise<object> {
    return this.events.join(user.id, id, { kind: 'wish' }, hooks);
  }

  @Delete(':id/wishers')
  @RequireScope('event_basic_w')
  @RequireUser()
  @RespondsJson(NOTHING, { status: 202 })
  @OperationId('unwishEvent')
  @Summary('Be interested in an event no longer')
  unwish(@IdParam('id') id: number, @CurrentUser() user: CallingUser): Promise<object> {
    return this.events.leave(user.id, id, 'wish');
  }
}
