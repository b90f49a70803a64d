import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';

/**
 * A part of the number of public events that end in a period: the sum of all rows with the same
 * values is the number.
 */
@Entity('event_counts')
export class EventCount {
  /** 0 for all cities. */
  @PrimaryColumn('bigint', { name: 'city_id', transformer: BIGINT })
  cityId: number;

  /** Length of the period: 1 or 64. */
  @PrimaryColumn('smallint')
  days: number;

  /** Number of the period since 1970, UTC. */
  @PrimaryColumn('integer')
  period: number;

  @IdColumn('ALWAYS')
  id: number;

  @Column('smallint')
  type: number;

  @Column('integer')
  events: number;
}
