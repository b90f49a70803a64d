import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BIGINT } from '../database/bigint-column';

/** Genres are stored as tags: a genre that is not also a tag has this position or a higher one. */
export const FIRST_GENRE = 16_384;

/** A tag of a movie, or a genre, with its position among the tags. */
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
