import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';

/**
 * A part of the number of a user's collections with the same values: the sum of all rows with these
 * values is the number.
 */
@Entity('collection_counts')
export class CollectionCount {
  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @IdColumn('ALWAYS')
  id: number;

  @Column('text')
  status: string;

  /** 0 without a rating. */
  @Column('smallint')
  rating: number;

  /** Visible to the user only. */
  @Column('boolean', { name: 'author_only' })
  authorOnly: boolean;

  @Column('integer')
  collections: number;
}
