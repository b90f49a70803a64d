import { statement, type Runner } from '../database/database';
import { type Extension, type PictureSubject } from './picture-names';

export { type PictureSubject } from './picture-names';

/** What is kept of a picture beside its files. */
export interface PictureRecord {
  /** SHA-256 of the large file, in hexadecimal digits. */
  readonly hash: string;
  readonly extension: Extension;
  /** Pixels of the large file. */
  readonly width: number;
  readonly height: number;
  /** Bytes of the large file. */
  readonly size: number;
}

/** One place that shows a picture. */
export interface PictureUse {
  /** Which of its subject's pictures it is, from 1. */
  readonly number: number;
  readonly hash: string;
  /** Whether the subject is private. */
  readonly private: boolean;
}

// The row of a picture that is there already is locked and touched: whoever is removing unused ones
// waits, and then finds it young. In order, so that two of these cannot wait for each other.
const ADD = statement(
  'pictures.add',
  `INSERT INTO pictures (hash, extension, width, height, bytes)
   SELECT decode(r.hash, 'hex'), r.extension, r.width, r.height, r.size
   FROM json_to_recordset($1::json)
     AS r(hash text, extension text, width integer, height integer, size integer)
   ORDER BY r.hash
   ON CONFLICT (hash) DO UPDATE SET touched_at = now()`,
);

const USE = statement(
  'pictures.use',
  `INSERT INTO picture_uses (subject, subject_id, number, hash, private)
   SELECT $1, $2, r.number, decode(r.hash, 'hex'), r.private
   FROM json_to_recordset($3::json) AS r(number integer, hash text, private boolean)
   ON CONFLICT (subject, subject_id, number) DO NOTHING
   RETURNING number`,
);

const SET_PRIVATE = statement(
  'pictures.set_private',
  'UPDATE picture_uses SET private = $3 WHERE subject = $1 AND subject_id = $2',
);

const REMOVE_USES = statement(
  'pictures.remove_uses',
  `WITH gone AS (DELETE FROM picture_uses WHERE subject = $1 AND subject_id = $2 RETURNING hash)
   UPDATE pictures SET touched_at = now() WHERE hash IN (SELECT hash FROM gone)`,
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
   UPDATE pictures SET touched_at = now() WHERE hash IN (SELECT hash FROM gone)`,
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
 * Rows of pictures whose files have been stored, in the transaction that uses them; those that are
 * there already stay.
 */
export async function addPictures(
  runner: Runner,
  pictures: readonly PictureRecord[],
): Promise<void> {
  if (pictures.length === 0) return;
  // One statement cannot touch a row twice: the same picture may have come in several parts.
  const once = new Map(pictures.map((picture) => [picture.hash, picture]));
  const rows = [...once.values()].map(({ hash, extension, width, height, size }) => ({
    hash,
    extension,
    width,
    height,
    size,
  }));
  await runner.query(ADD, [JSON.stringify(rows)]);
}

/**
 * Notes that a subject shows pictures, which {@link addPictures} has added in this transaction.
 *
 * @returns numbers of the subject that had a picture before, and keep it
 */
export async function usePictures(
  runner: Runner,
  subject: PictureSubject,
  id: number,
  uses: readonly PictureUse[],
): Promise<number[]> {
  if (uses.length === 0) return [];
  const rows = await runner.query<{ number: number }>(USE, [subject, id, JSON.stringify(uses)]);
  const added = new Set(rows.map(({ number }) => number));
  return uses.map(({ number }) => number).filter((number) => !added.has(number));
}

/** Makes all pictures of a subject private or public. */
export async function setPrivate(
  runner: Runner,
  subject: PictureSubject,
  id: number,
  isPrivate: boolean,
): Promise<void> {
  await runner.query(SET_PRIVATE, [subject, id, isPrivate]);
}

/** A picture that an imported subject shows. */
export interface RestoredUse extends PictureUse {
  readonly subject_id: number;
}

/**
 * Lets imported subjects show just these pictures, as far as they are here.
 *
 * @param ids of all of the subjects, also of those that show none
 */
export async function restoreUses(
  runner: Runner,
  subject: PictureSubject,
  ids: readonly number[],
  uses: readonly RestoredUse[],
): Promise<void> {
  const shown = JSON.stringify(uses);
  await runner.query(DROP_USES, [subject, ids, shown]);
  if (uses.length > 0) await runner.query(RESTORE_USES, [subject, shown]);
}

/** A subject that is removed shows no pictures; what nothing shows is swept away later. */
export async function removeUses(
  runner: Runner,
  subject: PictureSubject,
  id: number,
): Promise<void> {
  await runner.query(REMOVE_USES, [subject, id]);
}
