import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { LargeCollector } from './large-collector.entity';

/** A tag of a collection of a large collector, in the order of the list of a tag. */
@Entity('large_collector_tags')
export class LargeCollectorTag {
  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @ManyToOne(() => LargeCollector, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'large_collector_tags_user' })
  collector?: Relation<LargeCollector>;

  @PrimaryColumn('text', { collation: 'C' })
  tag: string;

  @PrimaryColumn('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @PrimaryColumn('bigint', { name: 'collection_id', transformer: BIGINT })
  collectionId: number;

  @Column('text')
  status: string;

  /** 0 without a rating. */
  @Column('smallint')
  rating: number;

  /** Visible to the user only. */
  @Column('boolean', { name: 'author_only' })
  authorOnly: boolean;
}
