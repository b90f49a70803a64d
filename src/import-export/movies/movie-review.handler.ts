import { type SqlExecutor } from '../../database/database';
import { type Envelope } from '../engine/record-handler';
import { demand, PartialHandler, type PartialRecord } from '../engine/partial.handler';
import { RecordReader, toSortOrder, sortOrderJson } from '../engine/record';
import { type UserRecord } from '../users/user.handler';
import { ensureUsersOf } from '../users/authors';
import { type NestedHandler, type MovieHandlers, type Owner } from './movie-handlers';
import {
  countOpinions,
  cutTo,
  demandOwners,
  readOpinion,
  wireRating,
} from './reviews-and-comments';
import { ensurePlaceholders } from './placeholders';

/** A review in a file: specification section 2.9. */
export interface MovieReviewFields {
  readonly subject_id: number;
  readonly user_id: number;
  readonly title: string;
  /** At most 100 characters. */
  readonly summary: string;
  readonly rating: number | null;
  readonly useful_count: number;
  readonly useless_count: number;
  readonly comments_count: number;
  readonly sort_order: number;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly author?: UserRecord | undefined;
}

type ReviewRecord = PartialRecord<MovieReviewFields>;

const SUMMARY = 100;
/** Reviews nested in subjects have no creation time, so the update time is used. */
const MADE = 'coalesce(r.created_at, r.updated_at)';

/** Imports and exports reviews of movies. */
export class MovieReviewHandler extends PartialHandler<MovieReviewFields> implements NestedHandler {
  readonly name = 'movie-review';
  readonly member = 'reviews';
  readonly needsEnvelope = true;

  constructor(private readonly family: MovieHandlers) {
    super({
      table: 'movie_reviews',
      columns: {
        subject_id: 'bigint?',
        user_id: 'bigint?',
        title: 'text',
        summary: 'text',
        rating: 'smallint?',
        useful_count: 'integer',
        useless_count: 'integer',
        comments_count: 'integer',
        sort_order: 'sort_order',
        created_at: 'timestamptz?',
        updated_at: 'timestamptz?',
      },
      placeholders: true,
      written: { created_at: MADE, updated_at: `coalesce(r.updated_at, ${MADE})` },
    });
  }

  parse(value: unknown, envelope?: Envelope): ReviewRecord {
    return this.read(new RecordReader(value), envelope);
  }

  parseInside(value: unknown, owner: Owner, at: number): ReviewRecord {
    const record = this.read(new RecordReader(value, 'popular_reviews'), undefined, owner);
    return {
      ...record,
      input: { ...record.input, sort_order: toSortOrder(at) },
      placeholder: true,
    };
  }

  private read(reader: RecordReader, envelope?: Envelope, owner?: Owner): ReviewRecord {
    const opinion = readOpinion(this.family, reader, envelope, owner?.subject_id);
    const input = opinion.input;
    if (reader.has('title')) input.title = reader.requiredText('title');
    const summary = ['summary', 'content'].find((name) => reader.has(name));
    if (summary !== undefined) input.summary = cutTo(SUMMARY, reader.text(summary));
    for (const name of ['useless_count', 'comments_count'] as const) {
      if (reader.has(name)) input[name] = reader.count(name);
    }
    if (reader.has('sort_order')) input.sort_order = reader.sortOrder('sort_order');
    const updated = reader.time('updated_at');
    if (updated !== undefined) input.updated_at = updated;
    return {
      id: reader.requiredId('id'),
      placeholder: reader.raw('placeholder') === true,
      input,
      dependencies: opinion.dependencies,
    };
  }

  protected override complete(
    input: Partial<MovieReviewFields>,
    existing: MovieReviewFields | undefined,
    placeholder: boolean,
  ): MovieReviewFields {
    const all = super.complete(input, existing, placeholder);
    demandOwners(all);
    demand(all.title, 'title');
    return all;
  }

  lane({ id, input }: ReviewRecord): string {
    return String(input.subject_id ?? id);
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

  override async write(executor: SqlExecutor, records: readonly ReviewRecord[]): Promise<void> {
    const all = records.map(({ fields }) => fields as MovieReviewFields);
    const subjects = all.map(({ subject_id }) => subject_id);
    await ensurePlaceholders(executor, subjects);
    await ensureUsersOf(executor, all);
    await super.write(executor, records);
    const before = records.map(({ existing }) => existing?.subject_id);
    await countOpinions(executor, 'movie_reviews', [...subjects, ...before]);
  }
}
