import { Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';
import { SearchRow } from '../text/search-row';

/** Search terms of a movie. */
@Entity('subject_search')
export class SubjectSearch extends SearchRow {
  @PrimaryColumn('bigint', { name: 'subject_id', transformer: BIGINT })
  subjectId: number;
}
