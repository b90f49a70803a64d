import { statement, type SqlExecutor } from '../../database/database';
import { hashOfPath } from '../../images/picture-names';
import { restoreUses } from '../../images/pictures.repository';
import { authorOnlySql } from '../../moderation/visibility.sql';

const HIDE = statement(
  'import_export.hide_pictures',
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

/** A record with uploaded pictures. */
export interface Illustrated {
  readonly id: number;
  /** Picture URLs by number; paths for uploaded pictures. */
  readonly photos: Readonly<Record<string, string>>;
}

/**
 * Stores which uploaded pictures records show; other URLs are plain text.
 * @param isPrivate whether others cannot see the record
 */
export async function restorePictures<R extends Illustrated>(
  executor: SqlExecutor,
  subject: 'annotation' | 'note',
  records: readonly R[],
  isPrivate: (record: R) => boolean,
): Promise<void> {
  const ids = records.map(({ id }) => id);
  const uses = records.flatMap((record) =>
    Object.entries(record.photos).flatMap(([number, path]) => {
      const hash = hashOfPath(path);
      if (hash === undefined) return [];
      return [{ subject_id: record.id, number: Number(number), hash, private: isPrivate(record) }];
    }),
  );
  await restoreUses(executor, subject, ids, uses);
  await hidePictures(executor, { [`${subject}s`]: ids });
}
