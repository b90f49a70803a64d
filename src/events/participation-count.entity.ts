import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';

/**
 * A part of the number of a user's participations in public events that end in a period: the sum of
 * all rows with the same values is the number. Triggers write the rows.
 */
@Entity('participation_counts')
export class ParticipationCount {
  @PrimaryColumn('bigint', { name: 'user_id', transformer: BIGINT })
  userId: number;

  @PrimaryColumn('text')
  kind: string;

  /** Number of the period of 64 days since 1970, UTC. */
  @PrimaryColumn('integer')
  period: number;

  @IdColumn('ALWAYS')
  id: number;

  @Column('integer')
  events: number;
}
