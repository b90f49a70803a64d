import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** Search terms of a movie. */
@Entity('subject_search')
export class SubjectSearch {
  @PrimaryColumn('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;

  @Column('text')
  title: string;

  @Column('text')
  body: string;

  @Column('tsvector')
  terms: string;

  @Column('integer', { default: 0 })
  popularity: number;
}
