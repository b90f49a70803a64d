import { type PartialRecord } from '../engine/partial.handler';
import { RecordReader } from '../engine/record';
import { type MovieHandlers, type Owner } from './movie-handlers';
import {
  cutTo,
  OPINION_COLUMNS,
  OpinionHandler,
  wireRating,
  type OpinionFields,
} from './opinion.handler';

/** A short comment in a file: specification section 2.9. */
export interface MovieCommentFields extends OpinionFields {
  /** At most 140 characters. */
  readonly content: string;
}

const CONTENT = 140;

/** Imports and exports short comments on movies. */
export class MovieCommentHandler extends OpinionHandler<MovieCommentFields> {
  readonly name = 'movie-comment';
  readonly member = 'comments';

  constructor(family: MovieHandlers) {
    super(family, {
      table: 'movie_comments',
      columns: { ...OPINION_COLUMNS, content: 'text' },
      placeholders: false,
      written: { created_at: "coalesce(r.created_at, date_trunc('second', now()))" },
    });
  }

  parseInside(value: unknown, owner: Owner): PartialRecord<MovieCommentFields> {
    return this.read(new RecordReader(value, 'popular_comments'), undefined, owner);
  }

  protected readOwnFields(reader: RecordReader): Record<string, unknown> {
    return reader.has('content') ? { content: cutTo(CONTENT, reader.text('content')) } : {};
  }

  protected wireFields(comment: MovieCommentFields): Record<string, unknown> {
    return {
      subject_id: String(comment.subject_id),
      author_id: String(comment.user_id),
      content: comment.content,
      ...wireRating(comment.rating),
      useful_count: comment.useful_count,
      created_at: comment.created_at,
    };
  }
}
