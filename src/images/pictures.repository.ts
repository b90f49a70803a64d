import { unavailable } from '../api/errors/error-codes';
import { statement, type SqlExecutor } from '../database/database';
import { requireNoRemoval } from './picture-removals';
import { UPLOADED_PICTURES_PATH, type Extension, type PictureSubject } from './picture-names';

export { type PictureSubject } from './picture-names';

/** The metadata of a picture. */
export interface PictureRecord {
  /** SHA-256 of the large file in hexadecimal. */
  readonly hash: string;
  readonly extension: Extension;
  /** Size of the large file in pixels. */
  readonly width: number;
  readonly height: number;
  /** Size of the large file in bytes. */
  readonly size: number;
  /** Size of the small file in bytes; undefined where it is not known. */
  readonly smallSize: number | undefined;
}

/** A use of a picture. */
export interface PictureUse {
  /** The number of the picture in its subject, from 1. */
  readonly number: number;
  readonly hash: string;
  /** Whether the subject is private. */
  readonly private: boolean;
}

// Locks and touches existing rows: the sweeper waits and then finds them recent. The fixed order
// prevents deadlocks. Different uploads can produce the same large file but different small files.
// The size of the stored one is unknown until it is replaced.
const ADD = statement(
  'pictures.add',
  `INSERT INTO pictures (hash, extension, width, height, bytes, small_bytes, unused_owner_id)
   SELECT decode(r.hash, 'hex'), r.extension, r.width, r.height, r.size, r.small_size, $2::bigint
   FROM json_to_recordset($1::json) AS r(
     hash text, extension text, width integer, height integer, size integer, small_size integer)
   ORDER BY r.hash
   ON CONFLICT (hash) DO UPDATE SET last_referenced_at = now(),
     small_bytes = CASE WHEN excluded.small_bytes <> pictures.small_bytes THEN NULL
       WHEN $3 THEN coalesce(pictures.small_bytes, excluded.small_bytes)
       ELSE pictures.small_bytes END,
     unused_owner_id = excluded.unused_owner_id
   RETURNING xmax = 0 AS is_new`,
);

const USE = statement(
  'pictures.use',
  `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
   SELECT $1, $2, r.number, decode(r.hash, 'hex'), r.private
   FROM json_to_recordset($3::json) AS r(number integer, hash text, private boolean)
   ON CONFLICT (subject, subject_id, number) DO NOTHING
   RETURNING number`,
);

const HAS_USES = statement('pictures.has_uses', 'SELECT FROM picture_uses LIMIT 1');

const COUNT_USES = statement(
  'pictures.count_uses',
  'SELECT count(*)::int AS count FROM picture_uses WHERE subject = $1 AND subject_id = $2',
);

// A picture that several subjects of the user show counts each time: finding repetitions costs more.
// A picture with `unused_owner_id` can still have uses: another subject shows it, or another user
// uploaded it again.
const BYTES_OF_USER = statement(
  'pictures.bytes_of_user',
  // Pictures of earlier versions have no stored size of the small file.
  `SELECT (coalesce(sum(p.bytes + coalesce(p.small_bytes, 0)), 0) + (
     SELECT coalesce(sum(p.bytes + coalesce(p.small_bytes, 0)), 0) FROM pictures p WHERE p.unused_owner_id = $1
       AND NOT EXISTS (SELECT FROM picture_uses u WHERE u.hash = p.hash)))::float8 AS bytes
   FROM (SELECT 'note' AS subject, id FROM notes WHERE user_id = $1
         UNION ALL
         SELECT 'annotation', id FROM annotations WHERE user_id = $1
         UNION ALL
         SELECT 'application', id FROM applications WHERE owner_id = $1) AS subjects
   JOIN picture_uses u ON u.subject = subjects.subject AND u.subject_id = subjects.id
   JOIN pictures p ON p.hash = u.hash`,
);

const SIZES = statement(
  'pictures.sizes',
  `SELECT encode(p.hash, 'hex') AS hash, p.width, p.height
   FROM unnest($1::text[]) AS wanted(hash) JOIN pictures p ON p.hash = decode(wanted.hash, 'hex')`,
);

const SET_PRIVATE = statement(
  'pictures.set_private',
  'UPDATE picture_uses SET private = $3 WHERE subject = $1 AND subject_id = $2',
);

const REMOVE_USES = statement(
  'pictures.remove_uses',
  `WITH gone AS (DELETE FROM picture_uses WHERE subject = $1 AND subject_id = $2 RETURNING hash)
   UPDATE pictures SET last_referenced_at = now(), unused_owner_id = $3
   WHERE hash IN (SELECT hash FROM gone)`,
);

const GIVEN = (at: string): string => `json_to_recordset(${at}::json)
  AS r(subject_id bigint, number integer, hash text, private boolean)`;

const DROP_USES = statement(
  'pictures.drop_uses',
  `WITH gone AS (
     DELETE FROM picture_uses u WHERE u.subject = $1 AND u.subject_id = ANY($2::bigint[])
       AND NOT EXISTS (SELECT FROM ${GIVEN('$3')}
         WHERE r.subject_id = u.subject_id AND r.number = u.number
           AND decode(r.hash, 'hex') = u.hash)
     RETURNING hash)
   UPDATE pictures SET last_referenced_at = now() WHERE hash IN (SELECT hash FROM gone)`,
);

const RESTORE_USES = statement(
  'pictures.restore_uses',
  `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
   SELECT $1, r.subject_id, r.number, p.hash, r.private
   FROM ${GIVEN('$2')} JOIN pictures p ON p.hash = decode(r.hash, 'hex')
   ORDER BY r.subject_id, r.number
   ON CONFLICT (subject, subject_id, number) DO UPDATE SET private = EXCLUDED.private
   WHERE picture_uses.private <> EXCLUDED.private`,
);

/**
 * SQL for the path of the small file of the first picture of a public subject; null without one.
 * @param id SQL of the id of the subject
 */
export const smallPicturePathSql = (subject: PictureSubject, id: string): string =>
  `(SELECT '${UPLOADED_PICTURES_PATH}' || encode(shown.hash, 'hex') || '-s.' || shown.extension
    FROM picture_uses shows JOIN pictures shown ON shown.hash = shows.hash
    WHERE shows.subject = '${subject}' AND shows.subject_id = ${id} AND shows.number = 1)`;

/**
 * Keeps rows of stored pictures from the sweeper, in the transaction that uses them.
 * @throws ApiError 999 with 503 while the files of one of them are being deleted, or if they were: the
 *   sweeper deletes what has not been used for an hour
 */
export async function referencePictures(
  executor: SqlExecutor,
  pictures: readonly PictureRecord[],
): Promise<void> {
  if ((await addPictures(executor, pictures, { areStored: true })) === 0) return;
  throw unavailable(new Error('a picture was deleted before it was used'));
}

/** Options of {@link addPictures}. */
interface AddPicturesOptions {
  /** The user in whose storage they count until they are used (D123). */
  readonly unusedOwnerId?: number | undefined;
  /** Whether their files are stored, or will be before the transaction ends. */
  readonly areStored?: boolean;
}

/**
 * Inserts rows of pictures, by default before their files are stored; existing ones stay.
 * @returns the number of new rows
 * @throws ApiError 999 with 503 while the files of one of them are being deleted
 */
export async function addPictures(
  executor: SqlExecutor,
  pictures: readonly PictureRecord[],
  { unusedOwnerId, areStored = false }: AddPicturesOptions = {},
): Promise<number> {
  if (pictures.length === 0) return 0;
  // One statement cannot update a row twice, and several parts may contain the same picture.
  const once = new Map(pictures.map((picture) => [picture.hash, picture]));
  const rows = [...once.values()].map(({ hash, extension, width, height, size, smallSize }) => ({
    hash,
    extension,
    width,
    height,
    size,
    small_size: smallSize,
  }));
  const values = [JSON.stringify(rows), unusedOwnerId ?? null, areStored];
  const added = await executor.query<{ is_new: boolean }>(ADD, values);
  await requireNoRemoval(executor, [...once.keys()]);
  return added.filter(({ is_new }) => is_new).length;
}

/**
 * Inserts uses of pictures that {@link referencePictures} keeps in this transaction.
 * @returns numbers of the subject that are already in use, which stay unchanged
 */
export async function usePictures(
  executor: SqlExecutor,
  subject: PictureSubject,
  id: number,
  uses: readonly PictureUse[],
): Promise<number[]> {
  if (uses.length === 0) return [];
  const rows = await executor.query<{ number: number }>(USE, [subject, id, JSON.stringify(uses)]);
  const added = new Set(rows.map(({ number }) => number));
  return uses.map(({ number }) => number).filter((number) => !added.has(number));
}

/** Sizes of large files in pixels, by their hash; unknown ones are omitted. */
export async function listPictureSizes(
  executor: SqlExecutor,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Pick<PictureRecord, 'width' | 'height'>>> {
  if (hashes.length === 0) return new Map();
  const rows = await executor.query<PictureRecord>(SIZES, [hashes]);
  return new Map(rows.map(({ hash, width, height }) => [hash, { width, height }]));
}

/** Whether any picture is used. */
export const hasUses = async (executor: SqlExecutor): Promise<boolean> =>
  (await executor.query(HAS_USES)).length > 0;

/** Number of pictures of a subject. */
export async function countUses(
  executor: SqlExecutor,
  subject: PictureSubject,
  id: number,
): Promise<number> {
  const [row] = await executor.query<{ count: number }>(COUNT_USES, [subject, id]);
  return row?.count ?? 0;
}

/**
 * Bytes of the large files of all pictures in notes, annotations and applications of a user, and of
 * the user's unused ones that are not deleted yet.
 */
export async function pictureBytesOfUser(executor: SqlExecutor, userId: number): Promise<number> {
  const [row] = await executor.query<{ bytes: number }>(BYTES_OF_USER, [userId]);
  return row?.bytes ?? 0;
}

/** Sets the privacy of all pictures of a subject. */
export async function setPrivate(
  executor: SqlExecutor,
  subject: PictureSubject,
  id: number,
  isPrivate: boolean,
): Promise<void> {
  await executor.query(SET_PRIVATE, [subject, id, isPrivate]);
}

/** A use of a picture by an imported subject. */
export interface RestoredUse extends PictureUse {
  readonly subject_id: number;
}

/**
 * Replaces the uses of imported subjects, for pictures that exist.
 * @param ids of all subjects, including those without pictures
 */
export async function restoreUses(
  executor: SqlExecutor,
  subject: PictureSubject,
  ids: readonly number[],
  uses: readonly RestoredUse[],
): Promise<void> {
  const shown = JSON.stringify(uses);
  await executor.query(DROP_USES, [subject, ids, shown]);
  if (uses.length > 0) await executor.query(RESTORE_USES, [subject, shown]);
}

/**
 * Deletes the uses of a deleted subject; the sweeper deletes unused pictures later.
 * @param ownerId the user in whose storage they count until then; null for nobody
 */
export async function removeUses(
  executor: SqlExecutor,
  subject: PictureSubject,
  id: number,
  ownerId: number | null,
): Promise<void> {
  await executor.query(REMOVE_USES, [subject, id, ownerId]);
}
