import { statement, type SqlExecutor } from '../../database/database';
import { recordTime } from '../engine/record-time';
import { enqueueImported, hideRejected } from '../../moderation/moderation-queue.repository';
import { type BookHandler } from './book.handler';
import { IllustratedHandler } from '../engine/illustrated.handler';
import { restorePictures } from '../engine/record-pictures';
import { statementsById } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
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

/** An annotation in a file: specification section 2.5, with the votes that rank it. */
export interface AnnotationRecord extends AuthoredRecord {
  readonly chapter: string;
  readonly page_no: number;
  /** Undefined if the file omits it. A new record is then public. */
  readonly private: boolean | undefined;
  /** Hidden: it is in the moderation queue or was rejected. */
  readonly hidden: boolean;
  readonly content: string;
  /** Picture URLs by number. */
  readonly photos: Readonly<Record<string, string>>;
  readonly last_photo: number;
  readonly comments_count: number;
  readonly votes: number;
  readonly time: string | undefined;
}

const COLUMNS = `n.id::float8 AS id, n.user_id::float8 AS user_id, n.book_id::float8 AS book_id,
  n.chapter, n.page_no, n.private, n.hidden, n.content, n.photos, n.last_photo, n.comments_count, n.votes,
  ${recordTime('n.updated_at')} AS time`;
const {
  load: LOAD,
  lock: LOCK,
  after: AFTER,
} = statementsById({
  name: 'annotations',
  from: 'annotations n',
  columns: COLUMNS,
});
const WRITE = statement(
  'import_export.write_annotations',
  `WITH written AS (
   INSERT INTO annotations (id, user_id, book_id, chapter, page_no, private, hidden, content, photos,
     last_photo, comments_count, votes, created_at, updated_at)
   SELECT r.id, r.user_id, r.book_id, r.chapter, r.page_no, coalesce(r.private, false), r.hidden, r.content, r.photos,
     r.last_photo, r.comments_count, r.votes, t.at, t.at
   FROM json_to_recordset($1::json) AS r(id bigint, user_id bigint, book_id bigint, chapter text,
     page_no integer, private boolean, hidden boolean, content text, photos jsonb, last_photo integer,
     comments_count integer, votes integer, "time" timestamptz),
     LATERAL (SELECT coalesce(r."time", date_trunc('second', now())) AS at) t
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET user_id = EXCLUDED.user_id, book_id = EXCLUDED.book_id,
     chapter = EXCLUDED.chapter, page_no = EXCLUDED.page_no, private = EXCLUDED.private,
     hidden = annotations.hidden OR EXCLUDED.hidden,
     content = EXCLUDED.content, photos = EXCLUDED.photos, last_photo = EXCLUDED.last_photo,
     comments_count = EXCLUDED.comments_count, votes = EXCLUDED.votes,
     updated_at = EXCLUDED.updated_at
   ${RETURNING_REPLACED}`,
);

/** Undefined if it is omitted. @throws RecordError for another value than 1 (private) and 2 (public) */
function readPrivate(reader: RecordReader): boolean | undefined {
  const privacy = reader.text('privacy');
  if (privacy === '') return undefined;
  if (privacy !== '1' && privacy !== '2')
    throw new RecordError('privacy must be 1 (private) or 2 (public)');
  return privacy === '1';
}

/** Imports and exports annotations of books. */
export class AnnotationHandler extends IllustratedHandler<AnnotationRecord> {
  readonly name = 'annotation';
  readonly member = 'annotations';
  protected readonly loadRows = LOAD;
  protected override readonly lockStored = LOCK;
  protected readonly rowsAfter = AFTER;
  readonly ownerOf = ownerOf;
  protected override readonly mergedReference = bookReference<AnnotationRecord>();
  protected override readonly omissible = ['time', 'private'] as const;
  protected override readonly permanent = ['hidden'] as const;
  readonly nestedLists = ['photos'] as const;

  /** @param baseUrl address of this service */
  constructor(
    private readonly books: BookHandler,
    baseUrl?: string,
  ) {
    super(baseUrl);
  }

  parse(value: unknown): AnnotationRecord {
    const reader = new RecordReader(value);
    const photos = this.readPhotos(reader);
    return {
      ...readAuthoredRecord(reader, 'author_user'),
      chapter: reader.text('chapter'),
      page_no: Math.min(reader.count('page_no'), 999_999),
      private: readPrivate(reader),
      hidden: reader.raw('hidden') === true,
      content: reader.requiredText('content'),
      photos,
      last_photo: Math.max(reader.count('last_photo'), 0, ...Object.keys(photos).map(Number)),
      comments_count: reader.count('comments_count'),
      votes: reader.count('votes'),
      time: reader.time('time'),
    };
  }

  async write(
    executor: SqlExecutor,
    input: readonly AnnotationRecord[],
    stored?: ReadonlyMap<string, AnnotationRecord>,
  ): Promise<void> {
    const records = await hideRejected(executor, 'annotation', input);
    await ensureUsersAndBooks(executor, this.books, records);
    await reserveIds(
      executor,
      'annotations',
      records.map(({ id }) => id),
    );
    await writeTextRows(executor, WRITE, records.map(rowOf), stored);
    await restorePictures(
      executor,
      'annotation',
      records,
      (one) => one.private === true || one.hidden,
    );
    const textOf = ({ chapter, content }: AnnotationRecord) => `${chapter}\n${content}`;
    await enqueueImported(executor, 'annotation', records, textOf);
  }

  toJson(record: AnnotationRecord): Record<string, unknown> {
    const { id, user_id, book_id, chapter, page_no, content, photos, last_photo } = record;
    return {
      id: String(id),
      book_id: String(book_id),
      author_id: String(user_id),
      chapter,
      page_no,
      privacy: record.private ? 1 : 2,
      ...(record.hidden ? { hidden: true } : {}),
      content,
      photos,
      last_photo,
      comments_count: record.comments_count,
      votes: record.votes,
      time: record.time,
    };
  }
}
