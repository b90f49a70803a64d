import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../../database/bigint-column';
import { Book } from '../../books/book.entity';

/** The record of another catalogue that a book was imported from. */
@Entity('book_sources')
export class BookSource {
  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('text')
  key: string;

  @Column('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;

  @ManyToOne(() => Book, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'book_id', foreignKeyConstraintName: 'book_sources_book' })
  book?: Relation<Book>;

  /** Whether the import created the book. */
  @Column('boolean', { name: 'created_book' })
  createdBook: boolean;
}
