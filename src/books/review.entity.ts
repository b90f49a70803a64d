import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Book } from './book.entity';
import { User } from '../users/user.entity';

/** A review of a book. */
@Entity('reviews')
export class Review {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'reviews_user' })
  user?: Relation<User>;

  @Column('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;

  @ManyToOne(() => Book, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'book_id', foreignKeyConstraintName: 'reviews_book' })
  book?: Relation<Book>;

  @Column('text')
  title: string;

  @Column('text')
  content: string;

  @Column('smallint', { nullable: true })
  rating: number | null;

  @Column('integer', { default: 0 })
  votes: number;

  @Column('integer', { default: 0 })
  useless: number;

  @Column('integer', { default: 0 })
  comments: number;

  @Column('timestamptz', { name: 'published_at', default: () => "date_trunc('second', now())" })
  publishedAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => "date_trunc('second', now())" })
  updatedAt: Date;

  @Column('boolean', { default: false })
  hidden: boolean;
}
