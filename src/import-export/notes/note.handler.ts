import { statement, type SqlExecutor } from '../../database/database';
import { recordTime } from '../engine/record-time';
import { enqueueImported, hideRejected } from '../../moderation/moderation-queue.repository';
import { PRIVACIES, type Privacy } from '../../notes/notes.rows';
import { IllustratedHandler } from '../engine/illustrated.handler';
import { restorePictures } from '../engine/record-pictures';
import { type NamedUser } from '../engine/named-users';
import { type Envelope } from '../engine/record-handler';
import { statementsById } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { RETURNING_REPLACED, writeTextRows } from '../engine/assigned-ids';
import { reserveIds } from '../engine/sequences';
import { ownerOf, ensureUsersOf, readAuthor } from '../users/authors';
import { type UserRecord } from '../users/user.handler';

/** A note in a file: specification section 2.6, with its author. */
export interface NoteRecord {
  readonly id: number;
  /** Undefined if the file omits it. Null if the stored note has none either. */
  readonly user_id: number | null | undefined;
  /** Whether the file omits the author. */
  readonly keepsAuthor?: boolean;
  readonly title: string;
  readonly content: string;
  /** Undefined if the file omits it. A new record is then public. */
  readonly privacy: Privacy | undefined;
  /** Hidden: it is in the moderation queue or was rejected. */
  readonly hidden: boolean;
  /** Undefined if the file omits it. A new note then has replies. */
  readonly can_reply: boolean | undefined;
  /** Picture URLs by number. */
  readonly photos: Readonly<Record<string, string>>;
  readonly comments_count: number;
  readonly liked_count: number;
  readonly recs_count: number;
  readonly publish_time: string | undefined;
  readonly update_time: string | undefined;
  /** The nested author. */
  readonly author: UserRecord | undefined;
}

const COLUMNS = `n.id::float8 AS id, n.user_id::float8 AS user_id, n.title, n.content, n.privacy,
  n.hidden, n.can_reply, n.photos, n.replies + n.replies_base AS comments_count,
  n.likes + n.likes_base AS liked_count, n.recs_count,
  ${recordTime('n.published_at')} AS publish_time, ${recordTime('n.updated_at')} AS update_time`;
const {
  load: LOAD,
  lock: LOCK,
  after: AFTER,
} = statementsById({
  name: 'notes',
  from: 'notes n',
  columns: COLUMNS,
  where: 'NOT n.placeholder',
});
const COUNTED = statement(
  'import_export.counted_notes',
  'SELECT id::float8 AS id, replies, likes FROM notes WHERE id = ANY($1::bigint[])',
);

// The counts of a file include all replies and likes, so the stored rows are subtracted.
// Placeholders have no stored version.
const WRITE = statement(
  'import_export.write_notes',
  `WITH placeholders AS (
     SELECT id FROM notes
     WHERE placeholder AND id IN (SELECT r.id FROM json_to_recordset($1::json) AS r(id bigint))),
   written AS (
   INSERT INTO notes (id, user_id, title, content, privacy, hidden, can_reply, photos,
     replies_base, likes_base, recs_count, published_at, updated_at)
   SELECT r.id, r.user_id, r.title, r.content, coalesce(r.privacy, 'public'), r.hidden, coalesce(r.can_reply, true), r.photos,
     r.comments_count, r.liked_count, r.recs_count, t.at, coalesce(r.update_time, t.at)
   FROM json_to_recordset($1::json) AS r(id bigint, user_id bigint, title text, content text,
     privacy text, hidden boolean, can_reply boolean, photos jsonb, comments_count integer, liked_count integer,
     recs_count integer, publish_time timestamptz, update_time timestamptz),
     LATERAL (SELECT coalesce(r.publish_time, r.update_time, date_trunc('second', now())) AS at) t
   ORDER BY r.id
   ON CONFLICT (id) DO UPDATE SET user_id = EXCLUDED.user_id, title = EXCLUDED.title,
     content = EXCLUDED.content, privacy = EXCLUDED.privacy,
     hidden = notes.hidden OR EXCLUDED.hidden, can_reply = EXCLUDED.can_reply,
     photos = EXCLUDED.photos, recs_count = EXCLUDED.recs_count,
     replies_base = greatest(EXCLUDED.replies_base - notes.replies, 0),
     likes_base = greatest(EXCLUDED.likes_base - notes.likes, 0),
     published_at = EXCLUDED.published_at, updated_at = EXCLUDED.updated_at, placeholder = false
   ${RETURNING_REPLACED} AND id NOT IN (SELECT id FROM placeholders)`,
);

function readPrivacy(reader: RecordReader): Privacy | undefined {
  const privacy = reader.text('privacy');
  if (privacy === '') return undefined;
  const existing = PRIVACIES.find((one) => one === privacy);
  if (existing === undefined)
    throw new RecordError(`privacy must be one of ${PRIVACIES.join(', ')}`);
  return existing;
}

/** Imports and exports personal notes. */
export class NoteHandler extends IllustratedHandler<NoteRecord> {
  readonly name = 'note';
  readonly member = 'notes';
  protected readonly loadRows = LOAD;
  protected override readonly lockStored = LOCK;
  protected readonly rowsAfter = AFTER;
  protected override readonly omissible = [
    ...(['user_id', 'privacy', 'can_reply', 'publish_time', 'update_time'] as const),
  ];
  protected override readonly permanent = ['hidden'] as const;

  /** @param of id of the author, for records that do not name one */
  parse(value: unknown, _envelope?: Envelope, of?: number): NoteRecord {
    const reader = new RecordReader(value);
    const { user_id = of, author } = readAuthor(reader);
    return {
      id: reader.requiredId('id'),
      user_id,
      keepsAuthor: user_id === undefined,
      title: reader.requiredText('title'),
      content: reader.text('content'),
      privacy: readPrivacy(reader),
      hidden: reader.raw('hidden') === true,
      can_reply: reader.has('can_reply') ? reader.flag('can_reply', true) : undefined,
      photos: this.readPhotos(reader),
      comments_count: reader.count('comments_count'),
      liked_count: reader.count('liked_count'),
      recs_count: reader.count('recs_count'),
      publish_time: reader.time('publish_time'),
      update_time: reader.time('update_time'),
      author,
    };
  }

  /** A note without an author may be another note than the stored one, whose author it keeps. */
  ownerOf(record: NoteRecord): NamedUser | undefined {
    return record.keepsAuthor === true ? undefined : ownerOf(record);
  }

  protected override combine(last: NoteRecord, earlier: NoteRecord): NoteRecord {
    const combined = super.combine(last, earlier);
    if (last.keepsAuthor !== true) return combined;
    return { ...combined, author: earlier.author, keepsAuthor: earlier.keepsAuthor === true };
  }

  override async resolveIds(executor: SqlExecutor, records: readonly NoteRecord[]) {
    const last = await super.resolveIds(executor, records);
    const ids = last.map(({ id }) => id);
    const stored = await this.load(executor, last);
    const rows = await executor.query<{ id: number; replies: number; likes: number }>(COUNTED, [
      ids,
    ]);
    const counted = new Map(rows.map((row) => [row.id, row]));
    return last.map((record) => {
      // A count is never less than the number of stored rows.
      const existing = stored.get(String(record.id));
      const here = counted.get(record.id);
      return {
        ...record,
        // Moderators see the note once its author is known.
        hidden: record.hidden || (existing?.hidden === true && existing.user_id === null),
        comments_count: Math.max(record.comments_count, here?.replies ?? 0),
        liked_count: Math.max(record.liked_count, here?.likes ?? 0),
      };
    });
  }

  async write(
    executor: SqlExecutor,
    input: readonly NoteRecord[],
    stored?: ReadonlyMap<string, NoteRecord>,
  ): Promise<void> {
    const written = input.map((record) => ({ ...record, user_id: record.user_id ?? null }));
    const records = await hideRejected(executor, 'note', written);
    await ensureUsersOf(executor, records);
    await reserveIds(
      executor,
      'notes',
      records.map(({ id }) => id),
    );
    const rows = records.map(({ author: _author, ...row }) => row);
    await writeTextRows(executor, WRITE, rows, stored);
    await restorePictures(
      executor,
      'note',
      records,
      ({ privacy = 'public' }) => privacy !== 'public',
    );
    const textOf = ({ title, content }: Pick<NoteRecord, 'title' | 'content'>) =>
      `${title}\n${content}`;
    await enqueueImported(executor, 'note', records, textOf);
  }

  toJson(record: NoteRecord): Record<string, unknown> {
    const { id, user_id, title, content, privacy, can_reply, photos } = record;
    return {
      id: String(id),
      ...(typeof user_id === 'number' ? { author_id: String(user_id) } : {}),
      title,
      content,
      privacy,
      ...(record.hidden ? { hidden: true } : {}),
      can_reply,
      photos,
      comments_count: record.comments_count,
      liked_count: record.liked_count,
      recs_count: record.recs_count,
      publish_time: record.publish_time,
      update_time: record.update_time,
    };
  }
}
