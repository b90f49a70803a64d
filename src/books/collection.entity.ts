import { Column, Entity, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Book } from './book.entity';
import { User } from '../users/user.entity';

/** A book in the collection of a user. */
@Entity('collections')
@Unique('collections_unique', ['userId', 'bookId'])
export class Collection {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'collections_user' })
  user?: Relation<User>;

  @Column('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;

  @ManyToOne(() => Book, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'book_id', foreignKeyConstraintName: 'collections_book' })
  book?: Relation<Book>;

  @Column('text')
  status: string;

  @Column('smallint', { nullable: true })
  rating: number | null;

  @Column('text', { default: '' })
  comment: string;

  @Column('text', { array: true, default: () => "'{}'" })
  tags: string[];

  @Column('boolean', { default: false })
  private: boolean;

  @Column('timestamptz', { name: 'updated_at', default: () => "date_trunc('second', now())" })
  updatedAt: Date;

  @Column('boolean', { default: false })
  hidden: boolean;
}
