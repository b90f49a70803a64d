import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Application } from './application.entity';

/** Requests of an application to an operation on a day with the same outcome. */
@Entity('application_requests')
export class ApplicationRequests {
  @PrimaryColumn('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'application_id',
    foreignKeyConstraintName: 'application_requests_application',
  })
  application?: Relation<Application>;

  /** In `TIME_ZONE`. */
  @PrimaryColumn('date')
  day: string;

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
}
