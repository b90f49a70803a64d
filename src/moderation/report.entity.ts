import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** A report of a user about content. */
@Entity('reports')
export class Report {
  @IdColumn('ALWAYS')
  id: number;

  @Column('text')
  kind: string;

  @Column('bigint', { name: 'target_id', transformer: BIGINT })
  targetId: number;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'reports_user' })
  user?: Relation<User>;

  @Column('text')
  reason: string;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  /** Null while it is open. */
  @Column('text', { nullable: true })
  decision: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;

  @Column('text', { name: 'decided_by', nullable: true })
  decidedBy: string | null;

  @Column('text', { default: '' })
  comment: string;
}
