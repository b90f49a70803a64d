import { statement, type SqlExecutor } from '../../database/database';
import { authorOnlySql } from '../../moderation/visibility.sql';

const HIDE = statement(
  'transfer.hide_pictures',
  `UPDATE picture_uses u SET private = s.hidden
   FROM (SELECT 'annotation' AS subject, n.id, ${authorOnlySql('n')} AS hidden
         FROM annotations n WHERE n.id = ANY($1::bigint[])
         UNION ALL
         SELECT 'note', n.id, (n.privacy <> 'public' OR n.hidden)
         FROM notes n WHERE n.id = ANY($2::bigint[])) s
   WHERE u.subject = s.subject AND u.subject_id = s.id AND u.private <> s.hidden`,
);

/**
 * Gives the pictures of imported texts the visibility of the texts. Reads the visibility from the
 * database because a text hidden here stays hidden, regardless of the file.
 */
export async function hidePictures(
  executor: SqlExecutor,
  { annotations = [], notes = [] }: { annotations?: readonly number[]; notes?: readonly number[] },
): Promise<void> {
  await executor.query(HIDE, [annotations, notes]);
}
