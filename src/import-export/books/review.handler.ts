import { statement, type SqlExecutor } from '../../database/database';
import { recordTime } from '../engine/record-time';
import { enqueueImported, hideRejected } from '../../moderation/moderation-queue.repository';
import { type BookHandler } from './book.handler';
import { statementsById, StoredHandler } from '../engine/stored.handler';
import { RecordReader } from '../engine/record';
import { RETURNING_REPLACED, writeTextRows } from '../engine/assigned-ids';
import { reserveIds } from '../engine/sequences';
import { ownerOf } from '../users/authors';
import {
  bookReference,
  ensureUsersAndBooks,
  readAuthoredRecord,
  rowOf,
  type AuthoredRecord,
} from './book-text';

/** A review in a file: specification section 2.2, with the full text. */
export interface ReviewRecord extends AuthoredRecord {
  readonly title: string;
  readonly content: string;
  readonly rating: number | null;
  /** Hidden: it is in the moderation queue or was rejected. */
  readonly hidden: boolean;
  readonly votes: number;
  readonly useless: number;
  readonly comments: number;
  readonly published: string | undefined;
  readonly updated: string | undefined;
}

const COLUMNS = `r.id::float8 AS id, r.user_id::float8 AS user_id, r.book_id::float8 AS book_id,
  r.title, r.content, r.rating, r.hidden, r.votes, r.useless, r.comments,
  ${recordTime('r.published_at')} AS published,
  ${recordTime('r.updated_at')} AS updated`;
const { load: LOAD, after: AFTER } = statementsById({
  name: 'reviews',
  from: 'reviews r',
  columns: COLUMNS,
});
const WRITE = statement(
  'import_export.write_reviews',
  `WITH written AS (
   INSERT INTO reviews (id, user_id, book_id, title, content, rating, hidden, votes, useless, comments,
     published_at, updated_at)
   SELECT r.id, r.user_id, r.book_id, r.title, r.content, r.rating, r.hidden, r.votes, r.useless, r.comments,
     t.at, coalesce(r.updated, t.at)
   FROM json_to_recordset($1::json) AS r(id bigint, user_id bigint, book_id bigint, title text,
     content text, rating smallint, hidden boolean, votes integer, useless integer, comments integer,
     published timestamptz, updated timestamptz),
     LATERAL (SELECT coalesce(r.published, r.updated, date_trunc('second', now())) AS at) t
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET user_id = EXCLUDED.user_id, book_id = EXCLUDED.book_id,
     title = EXCLUDED.title, content = EXCLUDED.content, rating = EXCLUDED.rating,
     hidden = reviews.hidden OR EXCLUDED.hidden,
     votes = EXCLUDED.votes, useless = EXCLUDED.useless, comments = EXCLUDED.comments,
     published_at = EXCLUDED.published_at, updated_at = EXCLUDED.updated_at
   ${RETURNING_REPLACED}`,
);

/** Imports and exports reviews of books. */
export class ReviewHandler extends StoredHandler<ReviewRecord> {
  readonly name = 'review';
  readonly member = 'reviews';
  protected readonly loadRows = LOAD;
  protected readonly rowsAfter = AFTER;
  readonly ownerOf = ownerOf;
  protected override readonly mergedReference = bookReference<ReviewRecord>();
  protected override readonly omissible = ['published', 'updated'] as const;
  protected override readonly permanent = ['hidden'] as const;

  constructor(private readonly books: BookHandler) {
    super();
  }

  parse(value: unknown): ReviewRecord {
    const reader = new RecordReader(value);
    return {
      ...readAuthoredRecord(reader, 'author'),
      title: reader.requiredText('title'),
      // Responses of other services have only the summary.
      content: reader.has('content')
        ? reader.requiredText('content')
        : reader.requiredText('summary'),
      rating: reader.stars(),
      hidden: reader.raw('hidden') === true,
      votes: reader.count('votes'),
      useless: reader.count('useless'),
      comments: reader.count('comments'),
      published: reader.time('published'),
      updated: reader.time('updated'),
    };
  }

  async write(
    executor: SqlExecutor,
    input: readonly ReviewRecord[],
    stored?: ReadonlyMap<string, ReviewRecord>,
  ): Promise<void> {
    const records = await hideRejected(executor, 'review', input);
    await ensureUsersAndBooks(executor, this.books, records);
    await reserveIds(
      executor,
      'reviews',
      records.map(({ id }) => id),
    );
    await writeTextRows(executor, WRITE, records.map(rowOf), stored);
    const textOf = ({ title, content }: ReviewRecord) => `${title}\n${content}`;
    await enqueueImported(executor, 'review', records, textOf);
  }

  toJson(record: ReviewRecord): Record<string, unknown> {
    const { id, user_id, book_id, title, content, rating } = record;
    return {
      id,
      author_id: String(user_id),
      book_id: String(book_id),
      title,
      content,
      ...(rating === null ? {} : { rating: { max: 5, min: 1, value: String(rating) } }),
      ...(record.hidden ? { hidden: true } : {}),
      votes: record.votes,
      useless: record.useless,
      comments: record.comments,
      published: record.published,
      updated: record.updated,
    };
  }
}
