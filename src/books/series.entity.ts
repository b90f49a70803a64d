import { Column, Entity } from 'typeorm';
import { IdColumn } from '../database/bigint-column';

/** A series of books. */
@Entity('series')
export class Series {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('text')
  title: string;
}
