import { Column, Entity } from 'typeorm';
import { IdColumn } from '../../database/bigint-column';

/** An import or export job. */
@Entity('transfer_jobs')
export class TransferJob {
  @IdColumn('ALWAYS')
  id: number;

  @Column('text')
  type: string;

  @Column('text')
  kind: string;

  @Column('text')
  path: string;

  /** Whether a command runs it, and not the server. */
  @Column('boolean', { name: 'from_cli' })
  fromCli: boolean;

  @Column('text', { nullable: true })
  manifest: string | null;

  @Column('text', { default: 'waiting' })
  state: string;

  @Column('jsonb', { default: () => "'[]'" })
  progress: unknown;

  @Column('jsonb', { default: () => "'[]'" })
  errors: unknown;

  @Column('integer', { name: 'error_count', default: 0 })
  errorCount: number;

  @Column('text', { default: '' })
  error: string;

  @Column('boolean', { name: 'cancel_requested', default: false })
  cancelRequested: boolean;

  @Column('text', { name: 'created_by' })
  createdBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;

  @Column('timestamptz', { name: 'heartbeat_at', nullable: true })
  heartbeatAt: Date | null;

  @Column('integer', { default: 0 })
  attempts: number;

  /** Number of attempts that were cut off by the loss of the connection with the job lock. */
  @Column('integer', { name: 'lost_connections', default: 0 })
  lostConnections: number;

  @Column('jsonb', { name: 'initial_ids', nullable: true })
  initialIds: unknown;

  /** Number of times that it has begun. */
  @Column('integer', { default: 0 })
  run: number;
}
