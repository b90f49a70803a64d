import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Subject } from './subject.entity';
import { User } from '../users/user.entity';

/** A short comment on a movie. */
@Entity('movie_comments')
export class MovieComment {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @ManyToOne(() => Subject, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subject_id', foreignKeyConstraintName: 'movie_comments_subject' })
  subject?: Relation<Subject>;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'movie_comments_user' })
  user?: Relation<User>;

  @Column('text', { default: '' })
  content: string;

  @Column('smallint', { nullable: true })
  rating: number | null;

  @Column('integer', { name: 'useful_count', default: 0 })
  usefulCount: number;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;
}
