import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** A tag of a movie with its count. */
@Entity('subject_tags')
export class SubjectTag {
  @PrimaryColumn('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @PrimaryColumn('text')
  name: string;

  @Column('text')
  folded: string;

  @Column('smallint')
  position: number;
}
