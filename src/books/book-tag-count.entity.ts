import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn } from '../database/bigint-column';

/** A part of the number of books with a tag: the sum of all rows of the tag is the number. */
@Entity('book_tag_counts')
export class BookTagCount {
  @PrimaryColumn('text')
  folded: string;

  @IdColumn('ALWAYS')
  id: number;

  @Column('integer')
  books: number;
}
