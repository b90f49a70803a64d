import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Subject } from './subject.entity';
import { User } from '../users/user.entity';

/** A review of a movie. */
@Entity('movie_reviews')
export class MovieReview {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @ManyToOne(() => Subject, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subject_id', foreignKeyConstraintName: 'movie_reviews_subject' })
  subject?: Relation<Subject>;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'movie_reviews_user' })
  user?: Relation<User>;

  @Column('text')
  title: string;

  @Column('text', { default: '' })
  summary: string;

  @Column('smallint', { nullable: true })
  rating: number | null;

  @Column('integer', { name: 'useful_count', default: 0 })
  usefulCount: number;

  @Column('integer', { name: 'useless_count', default: 0 })
  uselessCount: number;

  @Column('integer', { name: 'comments_count', default: 0 })
  commentsCount: number;

  @Column('smallint', { name: 'sort_order', default: 32767 })
  sortOrder: number;

  @Column('boolean', { default: false })
  placeholder: boolean;

  @Column('timestamptz', { name: 'created_at', nullable: true })
  createdAt: Date | null;

  @Column('timestamptz', { name: 'updated_at', nullable: true })
  updatedAt: Date | null;
}
