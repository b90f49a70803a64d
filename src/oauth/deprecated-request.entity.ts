import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Application } from './application.entity';

/** Requests of an application to a deprecated operation on a day. */
@Entity('deprecated_requests')
export class DeprecatedRequest {
  @PrimaryColumn('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'application_id',
    foreignKeyConstraintName: 'deprecated_requests_application',
  })
  application?: Relation<Application>;

  /** Method and path with parameters as `:name`. */
  @PrimaryColumn('text')
  operation: string;

  /** In `TIME_ZONE`. */
  @PrimaryColumn('date')
  day: string;

  @Column('integer')
  requests: number;
}
