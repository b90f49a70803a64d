import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Application } from './application.entity';

/** A failed request of an application. It has neither path, query nor body. */
@Entity('application_failures')
export class ApplicationFailure {
  @IdColumn('ALWAYS')
  id: number;

  @Column('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'application_id',
    foreignKeyConstraintName: 'application_failures_application',
  })
  application?: Relation<Application>;

  @Column('timestamptz', { name: 'failed_at' })
  failedAt: Date;

  @Column('text', { name: 'request_id' })
  requestId: string;

  /** Method and path with parameters as `:name`; `*` for a request that reached no route. */
  @Column('text')
  operation: string;

  @Column('smallint')
  status: number;

  /** Error code of the service; 0 for none. */
  @Column('integer')
  code: number;

  @Column('text')
  detail: string;
}
