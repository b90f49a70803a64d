import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** A tag of a book with its counts. */
@Entity('book_tags')
export class BookTag {
  @PrimaryColumn('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;

  @PrimaryColumn('text')
  name: string;

  @Column('text')
  folded: string;

  @Column('smallint', { default: 32767 })
  position: number;

  @Column('integer', { name: 'base_count', default: 0 })
  baseCount: number;

  @Column('integer', { name: 'used_count', default: 0 })
  usedCount: number;

  @Column({ type: 'integer', insert: false, update: false })
  count: number;

  /** Whether `book_tag_counts` excludes the row, so that a search by tag checks it. */
  @Column('boolean', { default: false })
  uncounted: boolean;
}
