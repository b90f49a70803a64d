import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { ChartSnapshot } from './chart-snapshot.entity';
import { Subject } from './subject.entity';

/** A movie on a chart. */
@Entity('chart_entries')
export class ChartEntry {
  @PrimaryColumn('bigint', { name: 'snapshot_id', transformer: BIGINT })
  snapshotId: number;

  @ManyToOne(() => ChartSnapshot, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'snapshot_id', foreignKeyConstraintName: 'chart_entries_snapshot' })
  snapshot?: Relation<ChartSnapshot>;

  @PrimaryColumn('integer')
  rank: number;

  @Column('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @ManyToOne(() => Subject, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subject_id', foreignKeyConstraintName: 'chart_entries_subject' })
  subject?: Relation<Subject>;

  @Column('bigint', { default: 0, transformer: BIGINT })
  box: number;

  @Column('boolean', { default: false })
  new: boolean;

  @Column('integer', { default: 0 })
  delta: number;
}
