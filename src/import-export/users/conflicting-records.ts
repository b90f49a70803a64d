import { statement, type SqlExecutor, type Statement } from '../../database/database';
import { RecordError } from '../engine/record';
import { IS_CONFLICT, type NamedUser } from './conflicting-users';

// Like a user, a text of a user in a file may have the id of another text here. If it is rejected,
// records that refer to the id, such as replies to a private note, must not belong to the other text.
// It is stored in `conflicting_records`.

/** The columns with the authors of texts that other records refer to, by kind. */
const AUTHORS = {
  annotation: 'annotations.user_id',
  event: 'events.owner_id',
  'movie-comment': 'movie_comments.user_id',
  'movie-review': 'movie_reviews.user_id',
  note: 'notes.user_id',
  'note-reply': 'note_replies.user_id',
  review: 'reviews.user_id',
} as const;

/** A kind of texts that other records refer to. */
export type TextKind = keyof typeof AUTHORS;

/** Whether records of other kinds refer to texts of a kind. */
export const isTextKind = (kind: string): kind is TextKind => Object.hasOwn(AUTHORS, kind);

/** A text that a record refers to. */
export interface TextReference {
  readonly kind: TextKind;
  readonly id: number;
}

const insertionOf = (kind: string, column: string): Statement => {
  const [table = ''] = column.split('.');
  return statement(
    `import_export.insert_conflicting_${table}`,
    `INSERT INTO conflicting_records (kind, id)
     SELECT '${kind}', ${table}.id FROM ${table}
     CROSS JOIN (SELECT $2::bigint AS id, $3::text AS uid) r
     WHERE ${table}.id = $1 AND (${column} <> r.id
       OR EXISTS (SELECT FROM users u WHERE u.id = r.id AND ${IS_CONFLICT}))
     ON CONFLICT (kind, id) DO NOTHING`,
  );
};

const INSERTIONS = Object.fromEntries(
  Object.entries(AUTHORS).map(([kind, column]) => [kind, insertionOf(kind, column)]),
) as Record<TextKind, Statement>;

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

/** Stores the conflict of a rejected text, if the id belongs to a text of another user here. */
export async function insertConflictingRecord(
  executor: SqlExecutor,
  { kind, id }: TextReference,
  author: NamedUser,
): Promise<void> {
  await executor.query(INSERTIONS[kind], [id, author.id, author.uid]);
}

/** Stores the conflict of a note of which only the id is known, if the id belongs to a note here. */
export async function insertConflictingNote(executor: SqlExecutor, id: number): Promise<void> {
  await executor.query(INSERT_NOTE, [id]);
}

/** @throws RecordError if one of the ids belongs to another text here */
export async function rejectReferencesToConflicts(
  executor: SqlExecutor,
  references: readonly TextReference[],
): Promise<void> {
  if (references.length === 0) return;
  const [found] = await executor.query<TextReference>(FIND, [JSON.stringify(references)]);
  if (!found) return;
  throw new RecordError(`the ${found.kind} ${found.id} is another one here, and was not imported`);
}

/** Deletes the conflicts of texts that are stored. */
export async function deleteConflictingRecords(
  executor: SqlExecutor,
  kind: TextKind,
  ids: readonly number[],
): Promise<void> {
  await executor.query(DELETE, [kind, ids]);
}
