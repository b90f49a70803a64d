import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Book } from './book.entity';
import { User } from '../users/user.entity';

/** An annotation of a book. */
@Entity('annotations')
export class Annotation {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'annotations_user' })
  user?: Relation<User>;

  @Column('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;

  @ManyToOne(() => Book, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'book_id', foreignKeyConstraintName: 'annotations_book' })
  book?: Relation<Book>;

  @Column('text', { default: '' })
  chapter: string;

  @Column('integer', { name: 'page_no', default: 0 })
  pageNo: number;

  @Column('boolean', { default: false })
  private: boolean;

  @Column('text')
  content: string;

  @Column('jsonb', { default: () => "'{}'" })
  photos: unknown;

  @Column('integer', { name: 'last_photo', default: 0 })
  lastPhoto: number;

  @Column('integer', { name: 'comments_count', default: 0 })
  commentsCount: number;

  @Column('integer', { default: 0 })
  votes: number;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => "date_trunc('second', now())" })
  updatedAt: Date;

  @Column('boolean', { default: false })
  hidden: boolean;
}
