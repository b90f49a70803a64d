import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, IdColumn } from './bigint-column';

/**
 * A part of the number of elements of a list: the sum of all rows with the same values is the
 * number. Triggers write the rows.
 */
@Entity('list_counts')
export class ListCount {
  /** The user, book, film or note of the list. */
  @PrimaryColumn('bigint', { name: 'record_id', transformer: BIGINT })
  recordId: number;

  /** The list: a value of `LISTS`. */
  @PrimaryColumn('smallint')
  list: number;

  /** Who may see the elements: 0 all, 1 friends of the author, 2 the author only. */
  @PrimaryColumn('smallint')
  visibility: number;

  @IdColumn('ALWAYS')
  id: number;

  @Column('integer')
  elements: number;
}
