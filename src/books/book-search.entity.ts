import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** Search terms of a book. */
@Entity('book_search')
export class BookSearch {
  @PrimaryColumn('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;

  @Column('text')
  title: string;

  @Column('text')
  body: string;

  @Column('tsvector')
  terms: string;

  @Column('integer', { default: 0 })
  popularity: number;
}
