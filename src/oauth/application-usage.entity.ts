import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { Application } from './application.entity';

/** Requests of an application in an hour. */
@Entity('application_usage')
export class ApplicationUsage {
  @PrimaryColumn('bigint', { name: 'application_id', transformer: BIGINT })
  applicationId: number;

  @ManyToOne(() => Application, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'application_id', foreignKeyConstraintName: 'application_usage_application' })
  application?: Relation<Application>;

  @PrimaryColumn('timestamptz')
  hour: Date;

  @Column('integer')
  requests: number;

  @Column('integer')
  rejected: number;

  @Column('integer')
  peak: number;

  @Column('integer', { name: 'peak_limit' })
  peakLimit: number;
}
