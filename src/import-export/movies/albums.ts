import { statement, type SqlExecutor } from '../../database/database';
import { NO_SORT_ORDER } from '../engine/record';
import { LOCK_SUBJECTS } from './subject-search';

const LOCK_CELEBRITIES = statement(
  'import_export.lock_celebrities',
  'SELECT 1 FROM celebrities WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
);

const OF = { subject_id: 'subjects', celebrity_id: 'celebrities' } as const;
const arrange = (owner: keyof typeof OF) =>
  statement(
    `import_export.arrange_photos_of_${OF[owner]}`,
    `UPDATE photos p SET position = o.position, prev_id = o.prev, next_id = o.next,
       photos_count = o.photos
     FROM (SELECT id, row_number() OVER album - 1 AS position, lag(id) OVER album AS prev,
         lead(id) OVER album AS next, count(*) OVER (PARTITION BY ${owner}, album_id) AS photos
       FROM photos WHERE ${owner} = ANY($1::bigint[])
       WINDOW album AS (PARTITION BY ${owner}, album_id
         ORDER BY created_at DESC NULLS LAST, sort_order, id DESC)) o
     WHERE p.id = o.id AND (p.position, p.prev_id, p.next_id, p.photos_count)
       IS DISTINCT FROM (o.position, o.prev, o.next, o.photos)`,
  );
const ARRANGE_SUBJECTS = arrange('subject_id');
const ARRANGE_CELEBRITIES = arrange('celebrity_id');

const LEAVE = statement(
  'import_export.leave_album',
  `UPDATE photos SET album_id = NULL, album_title = '', sort_order = ${NO_SORT_ORDER}, position_base = NULL,
     prev_base = NULL, next_base = NULL, photos_count_base = NULL WHERE id = $1`,
);

/** Clears the album fields of a photo before it moves to another owner. */
export async function detachFromAlbum(executor: SqlExecutor, id: number): Promise<void> {
  await executor.query(LEAVE, [id]);
}

/**
 * Recomputes the positions and neighbours of the photos of subjects and celebrities, ordered by
 * time.
 */
export async function recomputeAlbumOrder(
  executor: SqlExecutor,
  subjects: readonly number[],
  celebrities: readonly number[],
): Promise<void> {
  if (subjects.length > 0) {
    await executor.query(LOCK_SUBJECTS, [subjects]);
    await executor.query(ARRANGE_SUBJECTS, [subjects]);
  }
  if (celebrities.length > 0) {
    await executor.query(LOCK_CELEBRITIES, [celebrities]);
    await executor.query(ARRANGE_CELEBRITIES, [celebrities]);
  }
}
