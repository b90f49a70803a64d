import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** Requests to an operation in an hour with the same outcome, except those of test keys (D171). */
@Entity('request_statistics')
export class RequestStatistics {
  @PrimaryColumn('timestamptz')
  hour: Date;

  /** Method and path with parameters as `:name`; `*` for a request that reached no route. */
  @PrimaryColumn('text')
  operation: string;

  @PrimaryColumn('smallint')
  status: number;

  /** Name of the counter that refused them; empty for none. */
  @PrimaryColumn('text', { name: 'refused_by' })
  refusedBy: string;

  @Column('bigint', { transformer: BIGINT })
  requests: number;

  /** Sum of their durations. */
  @Column('float8')
  milliseconds: number;

  /** Duration of the slowest. */
  @Column('float8', { name: 'max_milliseconds' })
  maxMilliseconds: number;
}
