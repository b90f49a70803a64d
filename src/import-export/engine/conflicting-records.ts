import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { IS_CONFLICT, IS_REGISTERED, type NamedUser } from './named-users';
import { RecordError } from './record';
import { type RecordHandler } from './record-handler';

// Like a user, content of a user in a file may have the id of other content here. If it is rejected,
// records that refer to the id, such as replies to a private note, must not belong to the content
// here. Its id is stored in `conflicting_records`.

/** The columns with the owners of content that other records refer to, by kind. */
const OWNERS = {
  annotation: ['annotations', 'user_id'],
  collection: ['collections', 'user_id'],
  event: ['events', 'owner_id'],
  'movie-comment': ['movie_comments', 'user_id'],
  'movie-review': ['movie_reviews', 'user_id'],
  note: ['notes', 'user_id'],
  'note-reply': ['note_replies', 'user_id'],
  review: ['reviews', 'user_id'],
} as const;

/** A kind of content that other records refer to. */
export type ContentKind = keyof typeof OWNERS;

/** Whether records of other kinds refer to content of a kind. */
export const isContentKind = (kind: string): kind is ContentKind => Object.hasOwn(OWNERS, kind);

/** Content that a record refers to. */
export interface ContentReference {
  readonly kind: ContentKind;
  readonly id: number;
}

// The queue entries of a file precede its content.
const insertionOf = (kind: string, table: string, owner: string): Statement =>
  statement(
    `import_export.insert_conflicting_${table}`,
    `WITH entries AS (
       DELETE FROM moderation_queue q USING ${table} t
       WHERE q.kind = '${kind.replaceAll('-', '_')}' AND q.target_id = $1 AND q.user_id = $2
         AND t.id = $1 AND t.${owner} <> $2)
     INSERT INTO conflicting_records (kind, id)
     SELECT '${kind}', t.id FROM ${table} t
     CROSS JOIN (SELECT $2::bigint AS id, $3::text AS uid) r
     WHERE t.id = $1 AND (t.${owner} <> r.id
       OR EXISTS (SELECT FROM users u WHERE u.id = r.id AND ${IS_CONFLICT})
       OR r.id IS NULL AND EXISTS (SELECT FROM users u WHERE u.id = t.${owner} AND ${IS_REGISTERED}))
     ON CONFLICT (kind, id) DO NOTHING`,
  );

const INSERTIONS = Object.fromEntries(
  Object.entries(OWNERS).map(([kind, [table, owner]]) => [kind, insertionOf(kind, table, owner)]),
) as Record<ContentKind, Statement>;

const OF_OTHERS = Object.fromEntries(
  Object.entries(OWNERS).map(([kind, [table, owner]]) => [
    kind,
    statement(
      `import_export.find_${table}_of_others`,
      `SELECT t.id::float8 AS id FROM json_to_recordset($1::json) AS r(id bigint, owner bigint)
       JOIN ${table} t ON t.id = r.id JOIN users u ON u.id = t.${owner}
       WHERE u.id IS DISTINCT FROM r.owner AND ${IS_REGISTERED} LIMIT 1`,
    ),
  ]),
) as Record<ContentKind, Statement>;

const INSERT_COLLECTIONS = statement(
  'import_export.insert_conflicting_collections',
  `INSERT INTO conflicting_records (kind, id)
   SELECT 'collection', id FROM collections WHERE id = ANY($1::bigint[])
   ON CONFLICT (kind, id) DO NOTHING`,
);

const INSERT_NOTE = statement(
  'import_export.insert_conflicting_note',
  `INSERT INTO conflicting_records (kind, id)
   SELECT 'note', id FROM notes WHERE id = $1 AND NOT placeholder
   ON CONFLICT (kind, id) DO NOTHING`,
);

const FIND = statement(
  'import_export.find_conflicting_record',
  `SELECT r.kind, r.id::float8 AS id FROM json_to_recordset($1::json) AS r(kind text, id bigint)
   JOIN conflicting_records c ON c.kind = r.kind AND c.id = r.id LIMIT 1`,
);

const DELETE = statement(
  'import_export.delete_conflicting_records',
  'DELETE FROM conflicting_records WHERE kind = $1 AND id = ANY($2::bigint[])',
);

const DELETE_OF_PLACEHOLDERS = statement(
  'import_export.delete_conflicts_of_placeholders',
  `DELETE FROM conflicting_records c USING notes n
   WHERE c.kind = 'note' AND c.id = ANY($1::bigint[]) AND n.id = c.id AND n.placeholder`,
);

/** Content of a file with its owner. */
export interface OwnedContent extends ContentReference {
  /** Undefined if the file names none: the content is of nobody who has registered here. */
  readonly owner: NamedUser | undefined;
}

/** @throws RecordError if one of the ids belongs to content of another user, who has registered here */
export async function rejectContentOfOthers(
  executor: SqlExecutor,
  content: readonly OwnedContent[],
): Promise<void> {
  for (const kind of new Set(content.map((one) => one.kind))) {
    const ofKind = content.filter((one) => one.kind === kind);
    const rows = ofKind.map(({ id, owner }) => ({ id, owner: owner?.id }));
    const [found] = await executor.query<{ id: number }>(OF_OTHERS[kind], [JSON.stringify(rows)]);
    if (found)
      throw new RecordError(
        `the ${kind} ${found.id} here is of another user, who has registered here`,
      );
  }
}

/** The records that are content of users, with their owners. */
function ownedContent(kind: RecordHandler, records: readonly unknown[]): OwnedContent[] {
  const { name } = kind;
  if (!kind.ownerOf || !isContentKind(name)) return [];
  return records.map((record) => ({
    kind: name,
    id: Number(kind.key(record)),
    owner: kind.ownerOf?.(record),
  }));
}

/**
 * @throws RecordError if the id of a record belongs to content of another user, who has registered
 *   here. Events are excepted, because administrators change their owners
 */
export async function rejectRecordsOfOthers(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
): Promise<void> {
  if (kind.name !== 'event') await rejectContentOfOthers(executor, ownedContent(kind, records));
}

/** Stores the conflicts of collections that got other ids, because theirs belong to others here. */
export async function insertConflictingCollections(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await executor.query(INSERT_COLLECTIONS, [ids]);
}

/** Stores the conflict of a rejected record, if its id belongs to content of another user here. */
export async function insertConflictOf(
  executor: SqlExecutor,
  kind: RecordHandler,
  record: unknown,
): Promise<void> {
  for (const { kind: name, id, owner } of ownedContent(kind, [record]))
    await executor.query(INSERTIONS[name], [id, owner?.id, owner?.uid]);
}

/** Stores the conflict of a note of which only the id is known, if the id belongs to a note here. */
export async function insertConflictingNote(executor: SqlExecutor, id: number): Promise<void> {
  await executor.query(INSERT_NOTE, [id]);
}

/** @throws RecordError if one of the ids belongs to other content here */
export async function rejectReferencesToConflicts(
  executor: SqlExecutor,
  references: readonly ContentReference[],
): Promise<void> {
  if (references.length === 0) return;
  const [found] = await executor.query<ContentReference>(FIND, [JSON.stringify(references)]);
  if (!found) return;
  const { kind, id } = found;
  throw new RecordError(
    `the ${kind} ${id} of the file was not imported: the id belongs to another ${kind} here`,
  );
}

/** Deletes the conflicts of records that are stored, or equal the stored ones. */
export async function deleteConflictsOf(
  executor: SqlExecutor,
  kind: RecordHandler,
  records: readonly unknown[],
): Promise<void> {
  if (!kind.ownerOf || !isContentKind(kind.name)) return;
  const stored = records.filter((record) => kind.isReferenceOnly?.(record) !== true);
  if (stored.length === 0) return;
  const ids = stored.map((record) => Number(kind.key(record)));
  await executor.query(DELETE, [kind.name, ids]);
}

/** Deletes the conflicts of notes of which only the ids are known, here too. */
export async function deleteConflictsOfPlaceholders(
  executor: SqlExecutor,
  ids: readonly number[],
): Promise<void> {
  await executor.query(DELETE_OF_PLACEHOLDERS, [ids]);
}
