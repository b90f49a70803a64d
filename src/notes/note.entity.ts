import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { User } from '../users/user.entity';

/** A note of a user. */
@Entity('notes')
export class Note {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'user_id', nullable: true, transformer: BIGINT })
  userId: number | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'notes_user' })
  user?: Relation<User>;

  @Column('text', { default: '' })
  title: string;

  @Column('text', { default: '' })
  content: string;

  @Column('text')
  privacy: string;

  @Column('boolean', { name: 'can_reply', default: true })
  canReply: boolean;

  @Column('jsonb', { default: () => "'{}'" })
  photos: unknown;

  @Column('integer', { default: 0 })
  replies: number;

  @Column('integer', { name: 'replies_base', default: 0 })
  repliesBase: number;

  @Column('integer', { default: 0 })
  likes: number;

  @Column('integer', { name: 'likes_base', default: 0 })
  likesBase: number;

  @Column('integer', { name: 'recs_count', default: 0 })
  recsCount: number;

  @Column('boolean', { default: false })
  placeholder: boolean;

  @Column('timestamptz', { name: 'published_at', default: () => "date_trunc('second', now())" })
  publishedAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => "date_trunc('second', now())" })
  updatedAt: Date;

  @Column('boolean', { default: false })
  hidden: boolean;

  /**
   * The visibility of the likes if that of the note differs, because it changed when the note had more
   * than 1,000 likes. Triggers write it.
   */
  @Column('smallint', { name: 'outdated_likes_visibility', nullable: true })
  outdatedLikesVisibility: number | null;
}
