import { Column, Entity, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { BIGINT, IdColumn } from '../../database/bigint-column';
import { TransferJob } from './job.entity';

/** Records that a transaction of an import job has completed. */
@Entity('transfer_job_parts')
export class TransferJobPart {
  @IdColumn('ALWAYS')
  id: number;

  @Column('bigint', { name: 'job_id', transformer: BIGINT })
  jobId: number;

  @ManyToOne(() => TransferJob, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'transfer_job_parts_job_id_fkey' })
  job?: Relation<TransferJob>;

  /** As in the progress of the job. */
  @Column('text')
  file: string;

  /** The highest position. */
  @Column('integer')
  last: number;

  /** Positions of records in the file, 1-based. */
  @Column('integer', { array: true })
  imported: number[];

  @Column('integer', { array: true })
  updated: number[];

  @Column('integer', { array: true })
  skipped: number[];

  /** Version of the file. Empty for imports of one file, whose jobs store it. */
  @Column('text', { name: 'file_version', default: '' })
  fileVersion: string;
}
