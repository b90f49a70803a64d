import { type PartialRecord } from '../engine/partial.handler';
import { RecordReader, toSortOrder, sortOrderJson, requireText } from '../engine/record';
import { type MovieHandlers, type Owner } from './movie-handlers';
import {
  cutTo,
  OPINION_COLUMNS,
  OpinionHandler,
  wireRating,
  type OpinionFields,
} from './opinion.handler';

/** A review in a file: specification section 2.9. */
export interface MovieReviewFields extends OpinionFields {
  readonly title: string;
  /** At most 100 characters. */
  readonly summary: string;
  readonly useless_count: number;
  readonly comments_count: number;
  readonly sort_order: number;
  readonly updated_at: string | null;
}

const SUMMARY = 100;
/** Reviews nested in subjects have no creation time, so the update time is used. */
const MADE = 'coalesce(r.created_at, r.updated_at)';

/** Imports and exports reviews of movies. */
export class MovieReviewHandler extends OpinionHandler<MovieReviewFields> {
  readonly name = 'movie-review';
  readonly member = 'reviews';

  constructor(family: MovieHandlers) {
    super(family, {
      table: 'movie_reviews',
      columns: {
        ...OPINION_COLUMNS,
        title: 'text',
        summary: 'text',
        useless_count: 'integer',
        comments_count: 'integer',
        sort_order: 'sort_order',
        updated_at: 'timestamptz?',
      },
      placeholders: true,
      written: { created_at: MADE, updated_at: `coalesce(r.updated_at, ${MADE})` },
    });
  }

  parseInside(value: unknown, owner: Owner, at: number): PartialRecord<MovieReviewFields> {
    const record = this.read(new RecordReader(value, 'popular_reviews'), undefined, owner);
    return {
      ...record,
      input: { ...record.input, sort_order: toSortOrder(at) },
      placeholder: true,
    };
  }

  protected readOwnFields(reader: RecordReader): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    if (reader.has('title')) input.title = reader.requiredText('title');
    const summary = ['summary', 'content'].find((name) => reader.has(name));
    if (summary !== undefined) input.summary = cutTo(SUMMARY, reader.text(summary));
    for (const name of ['useless_count', 'comments_count'] as const) {
      if (reader.has(name)) input[name] = reader.count(name);
    }
    if (reader.has('sort_order')) input.sort_order = reader.sortOrder('sort_order');
    const updated = reader.time('updated_at');
    if (updated !== undefined) input.updated_at = updated;
    return input;
  }

  protected override complete(
    input: Partial<MovieReviewFields>,
    existing: MovieReviewFields | undefined,
    placeholder: boolean,
  ): MovieReviewFields {
    const all = super.complete(input, existing, placeholder);
    requireText(all.title, 'title');
    return all;
  }

  protected wireFields(review: MovieReviewFields): Record<string, unknown> {
    return {
      subject_id: String(review.subject_id),
      author_id: String(review.user_id),
      title: review.title,
      summary: review.summary,
      ...wireRating(review.rating),
      useful_count: review.useful_count,
      useless_count: review.useless_count,
      comments_count: review.comments_count,
      sort_order: sortOrderJson(review.sort_order),
      created_at: review.created_at,
      updated_at: review.updated_at,
    };
  }
}
