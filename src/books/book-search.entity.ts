import { Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { SearchRow } from '../text/search-row';

/** Search terms of a book. */
@Entity('book_search')
export class BookSearch extends SearchRow {
  @PrimaryColumn('bigint', { name: 'book_id', transformer: BIGINT })
  bookId: number;
}
