import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { IdColumn } from '../database/bigint-column';
import { User } from '../users/user.entity';
import { ModeratedTarget } from './moderated-target.entity';

/** A text that moderators review. */
@Entity('moderation_queue')
export class ModerationQueueEntry extends ModeratedTarget {
  @IdColumn('BY DEFAULT')
  id: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'moderation_queue_user' })
  user?: Relation<User>;

  @Column('text', { array: true })
  words: string[];

  @Column('text')
  excerpt: string;
}
