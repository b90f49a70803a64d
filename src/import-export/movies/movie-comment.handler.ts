import { type SqlExecutor } from '../../database/database';
import { type Envelope } from '../engine/record-handler';
import { PartialHandler, type PartialRecord } from '../engine/partial.handler';
import { RecordReader } from '../engine/record';
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

/** A short comment in a file: specification section 2.9. */
export interface MovieCommentFields {
  readonly subject_id: number;
  readonly user_id: number;
  /** At most 140 characters. */
  readonly content: string;
  readonly rating: number | null;
  readonly useful_count: number;
  readonly created_at: string | null;
  readonly author?: UserRecord | undefined;
}

type CommentRecord = PartialRecord<MovieCommentFields>;

const CONTENT = 140;

/** Imports and exports short comments on movies. */
export class MovieCommentHandler
  extends PartialHandler<MovieCommentFields>
  implements NestedHandler
{
  readonly name = 'movie-comment';
  readonly member = 'comments';
  readonly needsEnvelope = true;

  constructor(private readonly family: MovieHandlers) {
    super({
      table: 'movie_comments',
      columns: {
        subject_id: 'bigint?',
        user_id: 'bigint?',
        content: 'text',
        rating: 'smallint?',
        useful_count: 'integer',
        created_at: 'timestamptz?',
      },
      placeholders: false,
      written: { created_at: "coalesce(r.created_at, date_trunc('second', now()))" },
    });
  }

  parse(value: unknown, envelope?: Envelope): CommentRecord {
    return this.read(new RecordReader(value), envelope);
  }

  parseInside(value: unknown, owner: Owner): CommentRecord {
    return this.read(new RecordReader(value, 'popular_comments'), undefined, owner);
  }

  private read(reader: RecordReader, envelope?: Envelope, owner?: Owner): CommentRecord {
    const opinion = readOpinion(this.family, reader, envelope, owner?.subject_id);
    const input = opinion.input;
    if (reader.has('content')) input.content = cutTo(CONTENT, reader.text('content'));
    return {
      id: reader.requiredId('id'),
      placeholder: false,
      input,
      dependencies: opinion.dependencies,
    };
  }

  protected override complete(
    input: Partial<MovieCommentFields>,
    existing: MovieCommentFields | undefined,
    placeholder: boolean,
  ): MovieCommentFields {
    const all = super.complete(input, existing, placeholder);
    demandOwners(all);
    return all;
  }

  lane({ id, input }: CommentRecord): string {
    return String(input.subject_id ?? id);
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

  override async write(executor: SqlExecutor, records: readonly CommentRecord[]): Promise<void> {
    const all = records.map(({ fields }) => fields as MovieCommentFields);
    const subjects = all.map(({ subject_id }) => subject_id);
    await ensurePlaceholders(executor, subjects);
    await ensureUsersOf(executor, all);
    await super.write(executor, records);
    const before = records.map(({ existing }) => existing?.subject_id);
    await countOpinions(executor, 'movie_comments', [...subjects, ...before]);
  }
}
