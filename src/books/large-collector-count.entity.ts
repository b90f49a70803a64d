import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { LargeCollector } from './large-collector.entity';

/**
 * A part of a precomputed count of collections of a large collector: the count is the sum of all
 * rows with the same values. There are counts by tag or month, and by tag or month, status and
 * rating.
 */
@Entity('large_collector_counts')
export class LargeCollectorCount {
  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => LargeCollector, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'large_collector_counts_user' })
  collector?: Relation<LargeCollector>;

  /** Empty for collections of any status and rating. */
  @PrimaryColumn('text')
  status: string;

  /** Empty for collections of a month. */
  @PrimaryColumn('text', { collation: 'C' })
  tag: string;

  /**
   * Month of the last change in UTC, as the SQL function `utc_month_index` has it: year * 12 +
   * month (1 to 12), negative before year 1; 0 for collections with a tag.
   */
  @PrimaryColumn('integer', { name: 'month_index' })
  monthIndex: number;

  /** 0 without a rating, or for any. */
  @PrimaryColumn('smallint')
  rating: number;

  /** Visible to the user only. */
  @PrimaryColumn('boolean', { name: 'author_only' })
  authorOnly: boolean;

  @IdColumn('ALWAYS')
  id: number;

  @Column('integer')
  collections: number;
}
