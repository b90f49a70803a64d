import { statement, type SqlExecutor } from '../../database/database';
import { type Extension } from '../../images/picture-names';

/** A record that shows a picture. */
export interface Use {
  readonly subject: string;
  readonly subject_id: number;
  readonly number: number;
  readonly private: boolean;
}

/**
 * An uploaded picture: its files, its metadata and the records that show it. One with more than
 * {@link MAX_USES} uses has several records.
 */
export interface PictureRecord {
  /** SHA-256 of the large file in hexadecimal. */
  readonly hash: string;
  readonly extension: Extension;
  /** Size of the large file in pixels. */
  readonly width: number;
  readonly height: number;
  /** Size of the large file in bytes. */
  readonly bytes: number;
  readonly created: string;
  readonly uses: readonly Use[];
  /**
   * The files in base64; both are empty if the storage has lost one of them, and in further records
   * of a picture.
   */
  readonly large: string;
  readonly small: string;
}

/** The row of a picture with its first uses. */
export interface PictureRow extends Omit<PictureRecord, 'large' | 'small'> {
  /** Size of the small file in bytes; null if it is not known. */
  readonly small_bytes: number | null;
}

/** A position in the rows of all pictures. */
export interface RowPosition {
  /** The hash of the last picture; empty before the first. */
  readonly hash: string;
  /** The last picture with its last use, if it may have more. */
  readonly lastUse?: { readonly picture: PictureRow; readonly use: Use } | undefined;
}

/** Maximum number of pictures in memory. */
const AT_ONCE = 8;

/** Maximum number of uses in a record, which is limited to 16 MB. */
const MAX_USES = 20_000;

// Full exports have no applications, so they have no logos.
const EXPORTED = `u.subject <> 'application'`;

/** SQL of the first uses with a condition, in order; null without any. */
const usesSql = (condition: string): string =>
  `(SELECT json_agg(json_build_object('subject', f.subject, 'subject_id', f.subject_id,
     'number', f.number, 'private', f.private) ORDER BY f.subject, f.subject_id, f.number)
   FROM (SELECT u.* FROM picture_uses u WHERE ${condition} AND ${EXPORTED}
     ORDER BY u.subject, u.subject_id, u.number LIMIT ${MAX_USES}) f)`;
const COLUMNS = `encode(p.hash, 'hex') AS hash, p.extension, p.width, p.height, p.bytes,
  p.small_bytes, to_json(p.created_at) AS created,
  ${usesSql('u.hash = p.hash')} AS uses`;
// Pictures without a use are excluded because the sweeper will delete them.
const SHOWN = `EXISTS (SELECT FROM picture_uses u WHERE u.hash = p.hash AND ${EXPORTED})`;
export const LOAD_PICTURES = statement(
  'import_export.pictures',
  `SELECT ${COLUMNS} FROM pictures p
   WHERE p.hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h) AND ${SHOWN}`,
);
const AFTER = statement(
  'import_export.pictures_after',
  `SELECT ${COLUMNS} FROM pictures p WHERE p.hash > decode($1, 'hex') AND ${SHOWN}
   ORDER BY p.hash LIMIT $2`,
);
const MORE_USES = statement(
  'import_export.more_picture_uses',
  `SELECT ${usesSql(
    `u.hash = decode($1, 'hex') AND (u.subject, u.subject_id, u.number) > ($2, $3::bigint, $4::integer)`,
  )} AS uses`,
);
export const COUNT_PICTURES = statement(
  'import_export.count_pictures',
  `SELECT count(*)::float8 AS n FROM pictures p WHERE ${SHOWN}`,
);

/** The position after rows; only the last one can have more uses. */
function positionAfter(last: PictureRow | undefined, before: RowPosition): RowPosition {
  if (!last) return { hash: before.hash };
  const use = last.uses.length === MAX_USES ? last.uses[MAX_USES - 1] : undefined;
  return { hash: last.hash, lastUse: use && { picture: last, use } };
}

/** Rows of pictures, and the position after them. */
interface ReadRows extends RowPosition {
  readonly rows: readonly PictureRow[];
  /** Whether they are further uses of an earlier picture. */
  readonly areFurtherUses: boolean;
}

/**
 * Reads the next rows of pictures in the order of their hashes: up to 8 pictures, or further uses of
 * the last one, which are a row of their own.
 */
export async function readPictureRows(
  executor: SqlExecutor,
  before: RowPosition,
  limit: number,
): Promise<ReadRows> {
  if (before.lastUse) {
    const { picture, use } = before.lastUse;
    const values = [picture.hash, use.subject, use.subject_id, use.number];
    const [more] = await executor.query<{ uses: Use[] | null }>(MORE_USES, values);
    const row = { ...picture, uses: more?.uses ?? [] };
    if (row.uses.length > 0) {
      return { rows: [row], areFurtherUses: true, ...positionAfter(row, before) };
    }
  }
  const found = await executor.query<PictureRow>(AFTER, [before.hash, Math.min(limit, AT_ONCE)]);
  const atLimit = found.findIndex(({ uses }) => uses.length === MAX_USES);
  const rows = atLimit < 0 ? found : found.slice(0, atLimit + 1);
  return { rows, areFurtherUses: false, ...positionAfter(rows[rows.length - 1], before) };
}
