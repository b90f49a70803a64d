import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Celebrity } from './celebrity.entity';
import { Subject } from './subject.entity';
import { User } from '../users/user.entity';

/** A photo of a movie or a celebrity. */
@Entity('photos')
export class Photo {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'subject_id', nullable: true, transformer: BIGINT })
  subjectId: number | null;

  @ManyToOne(() => Subject, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subject_id', foreignKeyConstraintName: 'photos_subject' })
  subject?: Relation<Subject>;

  @Column('bigint', { name: 'celebrity_id', nullable: true, transformer: BIGINT })
  celebrityId: number | null;

  @ManyToOne(() => Celebrity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'celebrity_id', foreignKeyConstraintName: 'photos_celebrity' })
  celebrity?: Relation<Celebrity>;

  @Column('bigint', { name: 'user_id', nullable: true, transformer: BIGINT })
  userId: number | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'photos_user' })
  user?: Relation<User>;

  @Column('text', { default: '' })
  icon: string;

  @Column('text', { default: '' })
  image: string;

  @Column('text', { default: '' })
  thumb: string;

  @Column('text', { default: '' })
  cover: string;

  @Column('text', { default: '' })
  description: string;

  @Column('bigint', { name: 'album_id', nullable: true, transformer: BIGINT })
  albumId: number | null;

  @Column('text', { name: 'album_title', default: '' })
  albumTitle: string;

  @Column('integer', { name: 'comments_count', default: 0 })
  commentsCount: number;

  @Column('integer', { name: 'position_base', nullable: true })
  positionBase: number | null;

  @Column('text', { name: 'prev_base', nullable: true })
  prevBase: string | null;

  @Column('text', { name: 'next_base', nullable: true })
  nextBase: string | null;

  @Column('integer', { name: 'photos_count_base', nullable: true })
  photosCountBase: number | null;

  @Column('integer', { default: 0 })
  position: number;

  @Column('bigint', { name: 'prev_id', nullable: true, transformer: BIGINT })
  prevId: number | null;

  @Column('bigint', { name: 'next_id', nullable: true, transformer: BIGINT })
  nextId: number | null;

  @Column('integer', { name: 'photos_count', default: 0 })
  photosCount: number;

  @Column('smallint', { name: 'sort_order', default: 32767 })
  sortOrder: number;

  @Column('boolean', { default: false })
  placeholder: boolean;

  @Column('timestamptz', { name: 'created_at', nullable: true })
  createdAt: Date | null;
}
