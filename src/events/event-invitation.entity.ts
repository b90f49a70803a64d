import { Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Event } from './event.entity';
import { User } from '../users/user.entity';

/** A user who may see a private event. */
@Entity('event_invitations')
export class EventInvitation {
  @PrimaryColumn('bigint', { name: 'event_id', transformer: BIGINT })
  eventId: number;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'event_invitations_event' })
  event?: Relation<Event>;

  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'event_invitations_user' })
  user?: Relation<User>;
}
