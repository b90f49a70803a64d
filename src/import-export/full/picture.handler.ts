import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { statement, type SqlExecutor } from '../../database/database';
import { readHeader } from '../../images/picture-encoding';
import { requireMounted } from '../../images/mounted-pictures';
import { fileName, type Extension, type Variant } from '../../images/picture-names';
import { WrongFileSize, type PictureStorage } from '../../images/picture-storage';
import { addPictures, type PictureSubject } from '../../images/pictures.repository';
import { hidePictures } from '../engine/record-pictures';
import { type RecordHandler } from '../engine/record-handler';
import { readCount } from '../engine/counting';
import { dedupeKeepLast } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import { requiredTime } from './required-time';

/** A record that shows a picture. */
interface Use {
  readonly subject: string;
  readonly subject_id: number;
  readonly number: number;
  readonly private: boolean;
}

/** An uploaded picture: its files, its metadata and the records that show it. */
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
  /** The files in base64; both are empty if the storage has lost one of them. */
  readonly large: string;
  readonly small: string;
}

interface Row extends Omit<PictureRecord, 'large' | 'small'> {
  /** Size of the small file in bytes; null if it is not known. */
  readonly small_bytes: number | null;
}

/** The position of a scan. */
interface ScanPosition {
  /** Number of pictures that were read. */
  readonly read: number;
  /** Number of those that are exported without files. */
  readonly lost: number;
  /** The hash of the last picture; empty before the first. */
  readonly hash: string;
}

/** Maximum number of pictures in memory. */
const AT_ONCE = 8;

/** Kinds of records whose pictures are exported. */
const SUBJECTS: readonly PictureSubject[] = ['annotation', 'note'];

// Full exports have no applications, so they have no logos.
const EXPORTED = `u.subject <> 'application'`;
const COLUMNS = `encode(p.hash, 'hex') AS hash, p.extension, p.width, p.height, p.bytes,
  p.small_bytes, to_json(p.created_at) AS created,
  (SELECT json_agg(json_build_object('subject', u.subject, 'subject_id', u.subject_id,
     'number', u.number, 'private', u.private) ORDER BY u.subject, u.subject_id, u.number)
   FROM picture_uses u WHERE u.hash = p.hash AND ${EXPORTED}) AS uses`;
// Pictures without a use are excluded because the sweeper will delete them.
const SHOWN = `EXISTS (SELECT FROM picture_uses u WHERE u.hash = p.hash AND ${EXPORTED})`;
const LOAD = statement(
  'import_export.pictures',
  `SELECT ${COLUMNS} FROM pictures p
   WHERE p.hash IN (SELECT decode(h, 'hex') FROM unnest($1::text[]) h) AND ${SHOWN}`,
);
const AFTER = statement(
  'import_export.pictures_after',
  `SELECT ${COLUMNS} FROM pictures p WHERE p.hash > decode($1, 'hex') AND ${SHOWN}
   ORDER BY p.hash LIMIT $2`,
);
const COUNT = statement(
  'import_export.count_pictures',
  `SELECT count(*)::float8 AS n FROM pictures p WHERE ${SHOWN}`,
);
const KEEP = statement(
  'import_export.keep_pictures',
  `UPDATE pictures p SET created_at = r.created
   FROM json_to_recordset($1::json) AS r(hash text, created timestamptz)
   WHERE p.hash = decode(r.hash, 'hex')`,
);
// Users may have deleted the texts, or replaced their pictures, since their records were stored.
const WRITE_USES = statement(
  'import_export.write_picture_uses',
  `WITH input AS (
     SELECT * FROM json_to_recordset($1::json)
       AS r(subject text, subject_id bigint, number integer, hash text, private boolean)),
   shown_annotations AS (
     SELECT 'annotation' AS subject, id, photos FROM annotations
     WHERE id IN (SELECT subject_id FROM input WHERE subject = 'annotation')
     ORDER BY id FOR SHARE),
   shown_notes AS (
     SELECT 'note' AS subject, id, photos FROM notes
     WHERE id IN (SELECT subject_id FROM input WHERE subject = 'note') ORDER BY id FOR SHARE)
   INSERT INTO picture_uses (subject, subject_id, number, hash, private)
   SELECT r.subject, r.subject_id, r.number, decode(r.hash, 'hex'), r.private
   FROM input r
   JOIN (TABLE shown_annotations UNION ALL TABLE shown_notes) s
     ON s.subject = r.subject AND s.id = r.subject_id
     AND position(r.hash IN s.photos ->> r.number::text) > 0
   ORDER BY r.subject, r.subject_id, r.number
   ON CONFLICT (subject, subject_id, number) DO UPDATE SET hash = EXCLUDED.hash,
     private = EXCLUDED.private`,
);

function readUse(value: unknown): Use {
  const reader = new RecordReader(value, 'uses');
  const subject = reader.requiredText('subject');
  if (!SUBJECTS.some((one) => one === subject))
    throw new RecordError(`the subject of a use must be one of ${SUBJECTS.join(', ')}`);
  return {
    subject,
    subject_id: reader.requiredId('subject_id'),
    number: reader.count('number'),
    private: reader.raw('private') === true,
  };
}

/** Imports and exports uploaded pictures with their files and uses. Only part of full exports. */
export class PictureHandler implements RecordHandler<PictureRecord> {
  readonly name = 'picture';
  readonly member = 'pictures';
  private readonly logger = new Logger(PictureHandler.name);
  private readonly readers = new WeakMap<SqlExecutor, ScanPosition>();

  constructor(private readonly storage: PictureStorage) {}

  parse(value: unknown): PictureRecord {
    const reader = new RecordReader(value);
    const hash = reader.requiredText('hash');
    const extension = reader.text('extension');
    if (!/^[0-9a-f]{64}$/.test(hash) || (extension !== 'jpg' && extension !== 'png')) {
      throw new RecordError('hash and extension must be valid');
    }
    const [large, small] = [reader.base64('large'), reader.base64('small')];
    const lost = large === '' && small === '';
    if (!lost && createHash('sha256').update(large, 'base64').digest('hex') !== hash) {
      throw new RecordError('hash does not match the file in large');
    }
    return {
      hash,
      extension,
      width: reader.count('width'),
      height: reader.count('height'),
      // A file of another size is not served.
      bytes: lost ? reader.count('bytes') : Buffer.byteLength(large, 'base64'),
      created: requiredTime(reader, 'created'),
      uses: reader.list('uses').map(readUse),
      large,
      small,
    };
  }

  resolveIds(_runner: SqlExecutor, records: readonly PictureRecord[]): Promise<PictureRecord[]> {
    return Promise.resolve(dedupeKeepLast(records, ({ hash }) => hash));
  }

  key({ hash }: PictureRecord): string {
    return hash;
  }

  /**
   * Reads no more bytes than the records have: a record without bytes changes no file, and a file of
   * another size is replaced.
   */
  async load(executor: SqlExecutor, records: readonly PictureRecord[]) {
    const rows = await executor.query<Row>(LOAD, [records.map(({ hash }) => hash)]);
    const stored = new Map(rows.map((row) => [row.hash, row]));
    const pictures = new Map<string, PictureRecord>();
    for (const record of records) {
      const row = stored.get(record.hash);
      if (row === undefined) continue;
      const large = await this.fileOfSize(row, 'l', Buffer.byteLength(record.large, 'base64'));
      const small = await this.fileOfSize(row, 's', Buffer.byteLength(record.small, 'base64'));
      pictures.set(row.hash, { ...row, large, small });
    }
    return pictures;
  }

  /** @throws RecordError for invalid picture files; ApiError 503 when the storage is not mounted */
  async write(executor: SqlExecutor, records: readonly PictureRecord[]): Promise<void> {
    const rows = [];
    for (const record of records) {
      const large = Buffer.from(record.large, 'base64');
      const small = Buffer.from(record.small, 'base64');
      for (const file of record.large === '' ? [] : [large, small]) await check(file, record);
      const smallSize = record.small === '' ? undefined : small.length;
      rows.push({ ...record, size: record.bytes, smallSize });
    }
    const mayBeFirst = await requireMounted(this.storage, executor);
    // Their files are lost, and the folder would pass for one that is not mounted.
    if (mayBeFirst && rows.every(({ large }) => large === '')) await this.storage.markMounted();
    // Insert and lock the rows first: the sweeper does not delete files of locked rows.
    await addPictures(executor, rows, { areStored: true });
    await executor.query(KEEP, [
      JSON.stringify(records.map(({ hash, created }) => ({ hash, created }))),
    ]);
    for (const { hash, extension, large, small } of records) {
      if (large === '') continue;
      await this.storage.put(
        fileName(hash, 'l', extension),
        Buffer.from(large, 'base64'),
        mayBeFirst,
      );
      await this.storage.put(
        fileName(hash, 's', extension),
        Buffer.from(small, 'base64'),
        mayBeFirst,
      );
    }
    const all = records.flatMap(({ hash, uses: shown }) => shown.map((use) => ({ ...use, hash })));
    const uses = dedupeKeepLast(all, (use) => `${use.subject} ${use.subject_id} ${use.number}`);
    await executor.query(WRITE_USES, [JSON.stringify(uses)]);
    const shownBy = (subject: PictureSubject): number[] =>
      uses.filter((use) => use.subject === subject).map(({ subject_id }) => subject_id);
    await hidePictures(executor, { annotations: shownBy('annotation'), notes: shownBy('note') });
  }

  toJson(record: PictureRecord): Record<string, unknown> {
    const { hash, extension, width, height, bytes, created, uses, large, small } = record;
    return { hash, extension, width, height, bytes, created, uses, large, small };
  }

  countStored(executor: SqlExecutor): Promise<number> {
    return readCount(executor, COUNT);
  }

  /**
   * Pictures have no numeric id: `id` is the number of earlier pictures. A file of another size than
   * it was stored with counts as lost.
   * @throws Error when the previous scan with the same executor did not end there; ApiError 503 when
   *   the storage is not mounted
   */
  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const before = id === 0 ? { read: 0, lost: 0, hash: '' } : this.readers.get(executor);
    if (before?.read !== id) throw new Error('pictures must be scanned in order');
    const rows = await executor.query<Row>(AFTER, [before.hash, Math.min(limit, AT_ONCE)]);
    const hash = rows[rows.length - 1]?.hash ?? before.hash;
    const pictures = await this.withFiles(rows);
    const lost = pictures.filter(({ large }) => large === '').length;
    // Otherwise the export would be complete, but without any picture.
    if (lost > 0) await requireMounted(this.storage, executor);
    if (rows.length === 0 && before.lost > 0) {
      this.logger.warn(
        `files of ${before.lost} exported pictures are missing in the storage or have another size`,
      );
    }
    this.readers.set(executor, { read: id + rows.length, lost: before.lost + lost, hash });
    return pictures.map((record, at) => ({ id: id + at + 1, record }));
  }

  private async withFiles(rows: readonly Row[]): Promise<PictureRecord[]> {
    const pictures: PictureRecord[] = [];
    for (const row of rows) {
      const large = await this.fileOfSize(row, 'l', row.bytes);
      const small = await this.fileOfSize(row, 's', row.small_bytes ?? undefined);
      // An import rejects a record that has only one of the two files.
      const isLost = large === '' || small === '';
      pictures.push({ ...row, ...(isLost ? { large: '', small: '' } : { large, small }) });
    }
    return pictures;
  }

  /**
   * @param size in bytes that the file must have, if it is known
   * @returns the file in base64; the empty string for a missing file, one of another size, and size 0
   */
  private async fileOfSize(
    { hash, extension }: Row,
    variant: Variant,
    size: number | undefined,
  ): Promise<string> {
    if (size === 0) return '';
    try {
      const file = await this.storage.get(fileName(hash, variant, extension), undefined, size);
      return file ? (await buffer(file.stream)).toString('base64') : '';
    } catch (error) {
      if (error instanceof WrongFileSize) return '';
      throw error;
    }
  }
}

async function check(file: Buffer, { extension }: PictureRecord): Promise<void> {
  const claim = await readHeader(file).catch(() => undefined);
  if (claim?.format !== (extension === 'jpg' ? 'jpeg' : 'png')) {
    throw new RecordError('large or small is not a valid picture');
  }
}
