import { Column, Entity, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Event } from './event.entity';
import { User } from '../users/user.entity';

/** A user who takes part or is interested in an event. */
@Entity('participations')
@Unique('participations_unique', ['userId', 'kind', 'eventId'])
export class Participation {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'event_id', transformer: BIGINT })
  eventId: number;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id', foreignKeyConstraintName: 'participations_event' })
  event?: Relation<Event>;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'participations_user' })
  user?: Relation<User>;

  @Column('text')
  kind: string;

  @Column('date', { name: 'participate_on', nullable: true })
  participateOn: string | null;

  @Column('timestamptz', { name: 'joined_at', default: () => "date_trunc('second', now())" })
  joinedAt: Date;

  /** A copy of the event's, as `endsAt`. Triggers write both and `eventVisibility`. */
  @Column('timestamptz', { name: 'begins_at' })
  beginsAt: Date;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  /** Who may see the event: 0 all, 2 the owner and invited users, 3 nobody (soft-deleted). */
  @Column('smallint', { name: 'event_visibility' })
  eventVisibility: number;
}
