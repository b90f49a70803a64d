import { Column, Entity, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { City } from '../cities/city.entity';
import { Subject } from './subject.entity';

/** The days on which a movie is shown in a city. */
@Entity('showings')
@Unique('showings_unique', ['subjectId', 'cityId', 'fromDate'])
export class Showing {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @ManyToOne(() => Subject, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subject_id', foreignKeyConstraintName: 'showings_subject' })
  subject?: Relation<Subject>;

  @Column('bigint', { name: 'city_id', transformer: BIGINT })
  cityId: number;

  @ManyToOne(() => City, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'city_id', foreignKeyConstraintName: 'showings_city' })
  city?: Relation<City>;

  @Column('date', { name: 'from_date' })
  fromDate: string;

  @Column('date', { name: 'until_date', nullable: true })
  untilDate: string | null;
}
