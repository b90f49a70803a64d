import { Column, Entity, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { BIGINT, IdColumn } from '../database/bigint-column';
import { Celebrity } from './celebrity.entity';
import { Subject } from './subject.entity';

/** A role of a celebrity in a movie. */
@Entity('credits')
@Unique('credits_unique', ['subjectId', 'role', 'celebrityId', 'name'])
export class Credit {
  @IdColumn('BY DEFAULT')
  id: number;

  @Column('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @ManyToOne(() => Subject, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'subject_id', foreignKeyConstraintName: 'credits_subject' })
  subject?: Relation<Subject>;

  @Column('bigint', { name: 'celebrity_id', nullable: true, transformer: BIGINT })
  celebrityId: number | null;

  @ManyToOne(() => Celebrity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'celebrity_id', foreignKeyConstraintName: 'credits_celebrity' })
  celebrity?: Relation<Celebrity>;

  @Column('text', { default: '' })
  name: string;

  @Column('text')
  role: string;

  @Column('smallint', { default: 32767 })
  position: number;

  @Column('smallint', { name: 'role_sort_order', default: 32767 })
  roleSortOrder: number;

  @Column('smallint', { name: 'work_sort_order', default: 32767 })
  workSortOrder: number;

  @Column('smallint', { name: 'featured_sort_order', default: 32767 })
  featuredSortOrder: number;
}
