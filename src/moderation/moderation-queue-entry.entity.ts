import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** A text that moderators review. */
@Entity('moderation_queue')
export class ModerationQueueEntry {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text')
  kind: string;

  /** Id of the text among those of its kind. */
  @Column('bigint', { name: 'target_id', transformer: BIGINT })
  targetId: number;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'moderation_queue_user' })
  user?: Relation<User>;

  @Column('text', { array: true })
  words: string[];

  @Column('text')
  excerpt: string;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  /** Null while it waits. */
  @Column('text', { nullable: true })
  decision: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;

  @Column('text', { name: 'decided_by', nullable: true })
  decidedBy: string | null;
}
