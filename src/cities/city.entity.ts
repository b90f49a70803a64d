import { Column, Entity, Unique } from 'typeorm';
import { IdColumn } from '../database/bigint-column';

/** A city. */
@Entity('cities')
@Unique('cities_uid', ['uid'])
export class City {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text')
  uid: string;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  parent: string;

  @Column('boolean', { default: true })
  habitable: boolean;

  @Column('text', { name: 'time_zone', default: 'Asia/Shanghai' })
  timeZone: string;

  @Column('boolean', { default: false })
  placeholder: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => "date_trunc('second', now())" })
  createdAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
