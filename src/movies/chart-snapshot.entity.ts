import { Column, Entity, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { City } from '../cities/city.entity';

/** A chart on a day. */
@Entity('chart_snapshots')
@Unique('chart_snapshots_unique', ['name', 'cityId', 'date'])
export class ChartSnapshot {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text')
  name: string;

  @Column('bigint', { name: 'city_id', nullable: true, transformer: BIGINT })
  cityId: number | null;

  @ManyToOne(() => City, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'city_id', foreignKeyConstraintName: 'chart_snapshots_city' })
  city?: Relation<City>;

  @Column('date')
  date: string;

  @Column('text', { default: '' })
  period: string;

  @Column('boolean', { default: false })
  computed: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;
}
