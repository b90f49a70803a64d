import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The state and the lease of a scheduled task. */
@Entity('scheduled_tasks')
export class ScheduledTaskState {
  @PrimaryColumn('text')
  name: string;

  @Column('timestamptz', { name: 'next_run_at', default: () => 'now()' })
  nextRunAt: Date;

  @Column('timestamptz', { name: 'last_started_at', nullable: true })
  lastStartedAt: Date | null;

  @Column('timestamptz', { name: 'last_succeeded_at', nullable: true })
  lastSucceededAt: Date | null;

  @Column('integer', { default: 0 })
  failures: number;

  @Column('text', { name: 'last_error', default: '' })
  lastError: string;

  @Column('uuid', { name: 'lease_owner', nullable: true })
  leaseOwner: string | null;

  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt: Date | null;
}
