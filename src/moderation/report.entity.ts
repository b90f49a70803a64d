import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { IdColumn } from '../database/bigint-column';
import { User } from '../users/user.entity';
import { ModeratedTarget } from './moderated-target.entity';

/** A report of a user about content. */
@Entity('reports')
export class Report extends ModeratedTarget {
  @IdColumn('ALWAYS')
  id: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'reports_user' })
  user?: Relation<User>;

  @Column('text')
  reason: string;

  @Column('text', { default: '' })
  comment: string;
}
