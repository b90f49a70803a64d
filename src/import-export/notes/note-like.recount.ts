import { statement, type Database } from '../../database/database';
import { noteVisibility } from '../../notes/notes.sql';
import { checkCounters } from '../engine/counter-check';

const DIFFERS = `(l.note_visibility, l.note_author_id) IS DISTINCT FROM
  (coalesce(n.outdated_likes_visibility, ${noteVisibility()}), n.user_id)`;

const DRIFT = statement(
  'import_export.note_like_drift',
  `SELECT n.id::float8 AS note_id, 'copies in likes' AS what,
     count(*) FILTER (WHERE NOT d.differs)::int AS stored, count(*)::int AS counted
   FROM note_likes l JOIN notes n ON n.id = l.note_id CROSS JOIN LATERAL (SELECT ${DIFFERS} AS differs) d
   GROUP BY n.id HAVING bool_or(d.differs) ORDER BY n.id`,
);

const LOCK = statement(
  'import_export.lock_drifted_notes',
  'SELECT 1 FROM notes WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

// A trigger copies the values of the note, which is locked.
const COPY = statement(
  'import_export.copy_notes_to_likes',
  `UPDATE note_likes l SET note_id = l.note_id FROM notes n
   WHERE l.note_id = ANY($1::bigint[]) AND n.id = l.note_id AND ${DIFFERS}`,
);

/** A note whose visibility or author differs in some of its likes. */
export interface NoteLikeDrift {
  readonly note_id: number;
  readonly what: string;
  /** Number of likes with the values of the note. */
  readonly stored: number;
  readonly counted: number;
}

/**
 * Compares the visibility and the author of notes with the copies in their likes, and repairs
 * differences on request.
 * @returns the differences
 */
export const checkNoteLikes = (
  database: Database,
  options: { repair: boolean },
): Promise<NoteLikeDrift[]> =>
  checkCounters<NoteLikeDrift>(
    database,
    {
      drift: DRIFT,
      idOf: ({ note_id }) => note_id,
      recount: async (executor, ids) => {
        await executor.query(LOCK, [ids]);
        await executor.query(COPY, [ids]);
      },
    },
    options,
  );
