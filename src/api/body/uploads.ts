import multer, { MulterError, type StorageEngine } from 'multer';
import { type Request, type RequestHandler } from 'express';
import { type Spool, Spooled } from './spool';

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

/** A file that has arrived, and is not in memory. */
interface Received {
  readonly field: string;
  readonly content: Spooled;
}

/**
 * Receives the files of one request into a spool. Files that the route does not ask for are unknown
 * parameters (D8): they are read past and not kept.
 */
export class PictureReceiver implements StorageEngine {
  private readonly received: Received[] = [];
  /** Bytes of files that have gone by, kept or not. */
  seen = 0;
  /** How many they were. */
  files = 0;
  /** Whether a picture was too large: what comes after it is let go by. */
  failed = false;

  /** @param spool undefined where no file is kept */
  constructor(
    private readonly uploads: Uploads,
    private readonly spool?: Spool,
  ) {}

  /**
   * The reader of the body.
   *
   * @param fieldSize bytes that one field may have which is no file
   */
  reader(fieldSize: number): RequestHandler {
    const limits = { ...NAME_LIMITS, fieldSize, fields: PARTS, parts: PARTS };
    return multer({ limits, storage: this }).any();
  }

  /** The pictures in the order of their parts, in memory. */
  async pictures(): Promise<PictureUpload[]> {
    const pictures: PictureUpload[] = [];
    for (const { field, content } of this.received) {
      pictures.push({ field, bytes: await content.read() });
    }
    return pictures;
  }

  _handleFile(
    _request: Request,
    { fieldname, stream }: Express.Multer.File,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    this.files += 1;
    const { spool, uploads } = this;
    let content: Spooled | undefined;
    if (
      spool &&
      uploads.field.test(fieldname) &&
      this.received.length < (uploads.max ?? Infinity)
    ) {
      content = new Spooled(spool);
      // Its place among the others is the one that it came in.
      this.received.push({ field: fieldname, content });
    }
    this.receive(stream, content).then(
      (fits) => {
        this.failed ||= !fits;
        if (fits) done(null, {});
        else done(new MulterError('LIMIT_FILE_SIZE', fieldname));
      },
      (error: unknown) => {
        done(error);
      },
    );
  }

  /** Reads a file to its end, or to the picture that is too large. @returns false for that one */
  private async receive(
    stream: Express.Multer.File['stream'],
    content: Spooled | undefined,
  ): Promise<boolean> {
    // Not destroyed when it is left: the parser still writes into it.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      this.seen += (chunk as Buffer).length;
      if (!content) continue;
      if (content.size + (chunk as Buffer).length >= PICTURE_LIMIT) return false;
      await content.append(chunk as Buffer);
    }
    return true;
  }

  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: null) => void): void {
    this.received.length = 0;
    done(null);
  }
}
