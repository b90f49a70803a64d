import { type Readable, type Writable } from 'node:stream';
import multer, { MulterError, type StorageEngine } from 'multer';
import { type Request, type RequestHandler } from 'express';
import { BatchedWrites, type PendingBytes } from './batched-writes';
import { type Spool, Spooled } from './spool';

/** A picture must be smaller than this, in bytes: 3 MB (specification section 8). */
export const PICTURE_LIMIT = 3 * 1024 * 1024;

/** Bounds the body size of routes without a limit on the number of pictures. */
const PICTURES_IN_BODY = 20;

/** Maximum number of parts of a multipart body, and of fields. */
const PARTS = 100;

/** Maximum length of a part's name in bytes. */
const NAME_SIZE = 200;

/**
 * Limits of the parser for names: a name may end in `[]`, but an index is not allowed. An index
 * would create a list of that length, and each further bracket another level.
 */
const NAME_LIMITS = { fieldNameSize: NAME_SIZE, fieldNestingDepth: 1, fieldArrayIndexLimit: 0 };

/** Which pictures a route accepts. */
export interface Uploads {
  /** Matches names of parts with a picture; without the flags `g` and `y`. */
  readonly field: RegExp;
  /** Maximum number of pictures of one request; undefined means no limit. */
  readonly max: number | undefined;
}

/** For routes without pictures: files are unknown parameters (D8). */
export const NO_UPLOADS: Uploads = { field: /^$/, max: 0 };

/** A file on disk, which is in memory only while it is used. */
export interface PictureFile {
  /** In bytes. */
  readonly size: number;
  /**
   * Reads the file into memory.
   * @throws ApiError 999 with 503 when the disk fails or hangs, and after the end of the request
   */
  read(): Promise<Buffer>;
  /**
   * Writes another file to the same spool. It exists until the end of the request.
   * @throws ApiError 999 with 503 when the disk is nearly full, fails or hangs
   */
  addFile(bytes: Buffer): Promise<PictureFile>;
}

/** A file as received, not validated. */
export interface PictureUpload {
  /** Name of its part. */
  readonly field: string;
  readonly file: PictureFile;
}

/** Maximum size of a multipart body in bytes, with `textLimit` bytes for its text. */
export const bodyLimit = ({ max }: Uploads, textLimit: number): number =>
  (max ?? PICTURES_IN_BODY) * PICTURE_LIMIT + textLimit;

/** Pipes a body to the parser. After an error multer waits for the end of the body, which follows. */
function pipeUntilError(body: Readable, parser: Writable): void {
  parser.once('unpipe', () => {
    if (body.readableEnded) return;
    // Multer begins to wait after it has called `unpipe`.
    process.nextTick(() => body.destroy());
  });
  body.pipe(parser);
}

/** Where the pictures of one request are stored until its end. */
export interface PictureSpool {
  readonly spool: Spool;
  readonly pending: PendingBytes;
}

/**
 * Receives the files of one request into a spool. Files that the route does not declare are unknown
 * parameters (D8) and are discarded.
 */
export class PictureReceiver implements StorageEngine {
  private readonly received: PictureUpload[] = [];
  /** Bytes of all files so far, also of discarded ones. */
  seen = 0;
  /** Number of all files so far. */
  files = 0;
  /** Whether a picture was too large or could not be stored; the data after it is discarded. */
  failed = false;

  /** @param storage undefined where all files are discarded */
  constructor(
    private readonly uploads: Uploads,
    private readonly storage?: PictureSpool,
  ) {}

  /**
   * The reader of the body. When it fails, it destroys the stream that it reads, which must therefore
   * not be the request itself.
   *
   * @param fieldSize maximum size of one text field in bytes
   */
  reader(fieldSize: number): RequestHandler {
    const limits = { ...NAME_LIMITS, fieldSize, fields: PARTS, parts: PARTS };
    // The types of multer lack `streamHandler`.
    const options = { limits, storage: this, streamHandler: pipeUntilError };
    return multer(options).any();
  }

  /** The pictures in the order of their parts, as long as the spool is open. */
  get pictures(): readonly PictureUpload[] {
    return this.received;
  }

  _handleFile(
    _request: Request,
    { fieldname, stream }: Express.Multer.File,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    this.files += 1;
    const { storage, uploads } = this;
    let content: Spooled | undefined;
    if (
      storage &&
      uploads.field.test(fieldname) &&
      this.received.length < (uploads.max ?? Infinity)
    ) {
      content = new Spooled(storage.spool);
      // Parts arrive in order, so the list keeps the order of the parts.
      this.received.push({ field: fieldname, file: content });
    }
    this.receive(stream, content).then(
      (fits) => {
        this.failed ||= !fits;
        if (fits) done(null, {});
        else done(new MulterError('LIMIT_FILE_SIZE', fieldname));
      },
      (error: unknown) => {
        this.failed = true;
        done(error);
      },
    );
  }

  /** Reads a file to its end or size limit. @returns false when the picture is too large */
  private async receive(
    stream: Express.Multer.File['stream'],
    content: Spooled | undefined,
  ): Promise<boolean> {
    const { storage } = this;
    const writes = storage && content ? new BatchedWrites(content, storage.pending) : undefined;
    let size = 0;
    // Keeps the stream open: the parser still writes to it.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      const { length } = chunk as Buffer;
      this.seen += length;
      size += length;
      if (!writes) continue;
      if (size >= PICTURE_LIMIT) return false;
      await writes.add(chunk as Buffer);
    }
    await writes?.end();
    return true;
  }

  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: null) => void): void {
    this.received.length = 0;
    done(null);
  }
}
