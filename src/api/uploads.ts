import multer, { MulterError, type StorageEngine } from 'multer';
import { type Request, type RequestHandler } from 'express';

/** Bytes that a picture must stay below: 3 MB (specification section 8). */
export const PICTURE_LIMIT = 3 * 1024 * 1024;

/** Pictures that a body may have the size of, where their number is not limited. */
const PICTURES_IN_BODY = 20;

/** Parts of a multipart body, and fields among them. */
const PARTS = 100;

/** Bytes of a part's name. */
const NAME_SIZE = 200;

/**
 * What the parser makes of names: a name may end in `[]`, and index nothing. Every index would make
 * a list of that length, and every further bracket another level.
 */
const NAME_LIMITS = { fieldNameSize: NAME_SIZE, fieldNestingDepth: 1, fieldArrayIndexLimit: 0 };

/** What a route says about the pictures that it takes. */
export interface Uploads {
  /** Names of parts that hold a picture; without the flags `g` and `y`. */
  readonly field: RegExp;
  /** Most pictures that are kept of one request; undefined is no limit of their own. */
  readonly max: number | undefined;
}

/** Of a route that takes none: files are unknown parameters (D8). */
export const NO_UPLOADS: Uploads = { field: /^$/, max: 0 };

/** A file as it was sent, which may be anything. */
export interface PictureUpload {
  /** Name of its part. */
  readonly field: string;
  readonly bytes: Buffer;
}

/** Bytes that a multipart body may have as a whole, with `textLimit` bytes beside its pictures. */
export const bodyLimit = ({ max }: Uploads, textLimit: number): number =>
  (max ?? PICTURES_IN_BODY) * PICTURE_LIMIT + textLimit;

/**
 * Receives the files of one request into memory. Files that the route does not ask for are unknown
 * parameters (D8): they are read past and not kept.
 */
export class PictureReceiver implements StorageEngine {
  readonly pictures: PictureUpload[] = [];
  /** Bytes of files that have gone by, kept or not. */
  seen = 0;
  /** How many they were. */
  files = 0;
  private kept = 0;

  constructor(private readonly uploads: Uploads) {}

  /**
   * The reader of the body.
   *
   * @param fieldSize bytes that one field may have which is no file
   */
  reader(fieldSize: number): RequestHandler {
    const limits = { ...NAME_LIMITS, fieldSize, fields: PARTS, parts: PARTS };
    return multer({ limits, storage: this }).any();
  }

  _handleFile(
    _request: Request,
    { fieldname, stream }: Express.Multer.File,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    this.files += 1;
    const wanted = this.uploads.field.test(fieldname) && this.kept < (this.uploads.max ?? Infinity);
    if (wanted) this.kept += 1;
    let chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      this.seen += chunk.length;
      if (!wanted || size >= PICTURE_LIMIT) return;
      size += chunk.length;
      if (size < PICTURE_LIMIT) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      done(new MulterError('LIMIT_FILE_SIZE', fieldname));
    });
    stream.on('end', () => {
      if (size >= PICTURE_LIMIT) return;
      if (wanted) this.pictures.push({ field: fieldname, bytes: Buffer.concat(chunks, size) });
      chunks = [];
      done(null, {});
    });
    stream.on('error', done);
  }

  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: null) => void): void {
    this.pictures.length = 0;
    done(null);
  }
}
