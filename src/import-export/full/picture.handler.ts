import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { statement, type SqlExecutor } from '../../database/database';
import { readHeader } from '../../images/picture-encoding';
import { requireMounted } from '../../images/mounted-pictures';
import { fileName, type Variant } from '../../images/picture-names';
import { WrongFileSize, type PictureStorage } from '../../images/picture-storage';
import { addPictures, type PictureSubject } from '../../images/pictures.repository';
import { hidePictures } from '../engine/record-pictures';
import { type RecordHandler } from '../engine/record-handler';
import { readCount } from '../engine/counting';
import { dedupeKeepLast } from '../engine/stored.handler';
import { RecordError, RecordReader } from '../engine/record';
import {
  COUNT_PICTURES,
  LOAD_PICTURES,
  readPictureRows,
  type PictureRecord,
  type PictureRow,
  type RowPosition,
  type Use,
} from './picture-rows';
import { requiredTime } from './required-time';

export { type PictureRecord } from './picture-rows';

/** The position of a scan. */
interface ScanPosition extends RowPosition {
  /** Number of records that were read. */
  readonly read: number;
  /** Number of pictures that are exported without files. */
  readonly lost: number;
}

/** Kinds of records whose pictures are exported. */
const SUBJECTS: readonly PictureSubject[] = ['annotation', 'note'];

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
    const merged = new Map<string, PictureRecord>();
    for (const record of records) {
      const earlier = merged.get(record.hash);
      merged.set(record.hash, earlier ? mergeRecord(earlier, record) : record);
    }
    return Promise.resolve([...merged.values()]);
  }

  key({ hash }: PictureRecord): string {
    return hash;
  }

  /**
   * Reads no more bytes than the records have: a record without bytes changes no file, and a file of
   * another size is replaced.
   */
  async load(executor: SqlExecutor, records: readonly PictureRecord[]) {
    const rows = await executor.query<PictureRow>(LOAD_PICTURES, [records.map(({ hash }) => hash)]);
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
    return readCount(executor, COUNT_PICTURES);
  }

  /**
   * Pictures have no numeric id: `id` is the number of earlier records. A file of another size than
   * it was stored with counts as lost. A picture with very many uses has several records, of which
   * the first one has the files.
   * @throws Error when the previous scan with the same executor did not end there; ApiError 503 when
   *   the storage is not mounted
   */
  async scanAfter(executor: SqlExecutor, id: number, limit: number) {
    const before = id === 0 ? { read: 0, lost: 0, hash: '' } : this.readers.get(executor);
    if (before?.read !== id) throw new Error('pictures must be scanned in order');
    const { rows, areFurtherUses, ...position } = await readPictureRows(executor, before, limit);
    const pictures = areFurtherUses
      ? rows.map((row) => ({ ...row, large: '', small: '' }))
      : await this.withFiles(rows);
    const lost = areFurtherUses ? 0 : pictures.filter(({ large }) => large === '').length;
    // Otherwise the export would be complete, but without any picture.
    if (lost > 0) await requireMounted(this.storage, executor);
    if (rows.length === 0 && before.lost > 0) {
      this.logger.warn(
        `files of ${before.lost} exported pictures are missing in the storage or have another size`,
      );
    }
    this.readers.set(executor, { ...position, read: id + rows.length, lost: before.lost + lost });
    return pictures.map((record, at) => ({ id: id + at + 1, record }));
  }

  private async withFiles(rows: readonly PictureRow[]): Promise<PictureRecord[]> {
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
    { hash, extension }: PictureRow,
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

/** Several records of a picture as one, with the files of one of them. */
function mergeRecord(earlier: PictureRecord, later: PictureRecord): PictureRecord {
  const withFiles = later.large === '' && later.small === '' ? earlier : later;
  return { ...withFiles, uses: [...earlier.uses, ...later.uses] };
}

async function check(file: Buffer, { extension }: PictureRecord): Promise<void> {
  const claim = await readHeader(file).catch(() => undefined);
  if (claim?.format !== (extension === 'jpg' ? 'jpeg' : 'png')) {
    throw new RecordError('large or small is not a valid picture');
  }
}
