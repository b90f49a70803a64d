import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairTurns } from '../api/body/fair-turns';
import { requirePresence, WaitingTime } from '../api/body/turn';
import { type PictureFile } from '../api/body/uploads';
import { ApiError } from '../api/errors/error-codes';
import { currentRequest } from '../api/http/current-request';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { requireMounted } from './mounted-pictures';
import { type ImageHeader } from './picture-encoding';
import { requireFormat } from './picture-formats';
import { fileName, pathOf, type Variant } from './picture-names';
import { PictureProcess } from './picture-process';
import { PictureStorage } from './picture-storage';
import { costOfPicture, PictureTurns } from './picture-turns';
import { addPictures, pictureBytesOfUser, type PictureRecord } from './pictures.repository';

/** A checked and re-encoded picture, ready to be stored. */
export interface PreparedPicture extends PictureRecord {
  /** The path of the large file, as `photos` of annotations store it. */
  readonly path: string;
  readonly large: PictureFile;
  readonly small: PictureFile;
}

/** A picture file with its header, which is read before decoding. */
export interface MeasuredPicture {
  readonly file: PictureFile;
  readonly header: ImageHeader;
}

/** The pictures of a user have too many bytes together: 999 (D123). */
export class QuotaExceeded extends ApiError {
  /** @param limit in megabytes */
  constructor(limit: number) {
    const detail = `the pictures of a user must have at most ${limit} MB, including those deleted in the last two hours`;
    super('unknown', { detail });
  }
}

/** Background work counts as one address. */
const addressOfRequest = (): string => currentRequest()?.addressKey ?? '';

/**
 * Ingests uploaded pictures: {@link prepare}, then {@link store}, then `referencePictures` and
 * `usePictures` in the transaction that writes the subject. If it fails, the sweeper deletes the
 * stored files.
 */
@Injectable()
export class PicturesService implements OnApplicationShutdown {
  private readonly turns = new PictureTurns();
  /** Limits the headers that are read at once: the whole file is in memory then, in several copies. */
  private readonly headers = new FairTurns(1, 1);
  /** Limits the pictures that are stored at once, each with up to 6 MB in memory. */
  private readonly storing: FairTurns;
  private readonly process = new PictureProcess();

  constructor(
    private readonly storage: PictureStorage,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {
    const { MAX_UPLOADS } = settings;
    this.storing = new FairTurns(MAX_UPLOADS, Math.ceil(MAX_UPLOADS / 2));
  }

  /** After the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.process.end();
  }

  /**
   * Rejects the work on pictures, and pending and later requests to a remote storage, with 999 and
   * 503, because the process ends soon.
   */
  rejectPending(): void {
    this.storage.rejectPending();
    this.process.rejectPending();
  }

  /**
   * Reads the headers of the files of a request, which {@link prepare} needs. Between two files, a
   * request may give its turn to others.
   * @param onHeader gets each header before the next file is read
   * @throws ApiError 1008 or 1009 for a file that is not accepted (`readHeader`); 999 with 503 when
   *   the server cannot process pictures, or the client leaves; the exception of `onHeader`
   */
  async readHeaders(
    files: readonly PictureFile[],
    waiting = WaitingTime.ofCurrentRequest(),
    onHeader: (header: ImageHeader) => void = () => undefined,
  ): Promise<ImageHeader[]> {
    const cost = files.reduce((sum, { size }) => sum + size, 0);
    const turn = await this.headers.acquire({ address: addressOfRequest(), cost }, waiting);
    try {
      const headers: ImageHeader[] = [];
      for (const file of files) {
        await turn.next(file.size);
        requirePresence();
        const header = await this.readHeader(file);
        onHeader(header);
        headers.push(header);
      }
      return headers;
    } finally {
      turn.end();
    }
  }

  private async readHeader(file: PictureFile): Promise<ImageHeader> {
    const bytes = await file.read();
    // Other files need no process.
    requireFormat(bytes);
    return this.process.readHeader(bytes);
  }

  /**
   * Checks that a user may store more pictures (`USER_PICTURES_MB`, D123). Concurrent requests may
   * exceed the limit by their own pictures.
   * @param bytes size of the new pictures
   * @throws QuotaExceeded when the limit is exceeded
   */
  async checkQuota(userId: number, bytes: number): Promise<void> {
    const { USER_PICTURES_MB: limit } = this.settings;
    const used = await pictureBytesOfUser(this.database, userId);
    if (used + bytes <= limit * 1_000_000) return;
    throw new QuotaExceeded(limit);
  }

  /**
   * Decodes the pictures of a request one after the other, and re-encodes them in the two stored
   * sizes, which are added to the spool of their file.
   * @param pictures files with their headers
   * @param waiting what is left of the request's waiting time
   * @throws ApiError 1009 for a picture that cannot be decoded; 999 with 503 when the client leaves, or
   *   the process that decodes it ends
   */
  async prepare(
    pictures: readonly MeasuredPicture[],
    waiting = WaitingTime.ofCurrentRequest(),
  ): Promise<PreparedPicture[]> {
    const headers = pictures.map(({ header }) => header);
    const turn = await this.turns.acquire(headers, addressOfRequest(), waiting);
    try {
      const prepared: PreparedPicture[] = [];
      // Sequential, because decoded pixels need much more memory than the files.
      for (const picture of pictures) {
        await turn.next(costOfPicture(picture.header));
        requirePresence();
        prepared.push(await this.preparePicture(picture));
      }
      return prepared;
    } finally {
      turn.end();
    }
  }

  private async preparePicture({ file, header }: MeasuredPicture): Promise<PreparedPicture> {
    const encoded = await this.process.reencode(await file.read(), header);
    const { extension, width, height, large, small } = encoded;
    const hash = createHash('sha256').update(large).digest('hex');
    const path = pathOf(fileName(hash, 'l', extension));
    const sizes = { size: large.length, smallSize: small.length };
    const files = { large: await file.addFile(large), small: await file.addFile(small) };
    return { hash, extension, width, height, ...sizes, path, ...files };
  }

  /**
   * Stores picture files before the transaction that uses them. Their rows are committed first, so
   * that the sweeper does not delete the files. Between two pictures, a request may give its turn to
   * others, because a storage on the network may take long.
   * @param unusedOwnerId the user in whose storage they count until they are used (D123)
   * @throws ApiError 999 with 503 when the storage or the database is unavailable, when the storage
   *   is not mounted, while the files of the same picture are being deleted, or when the client leaves
   */
  async store(
    pictures: readonly PreparedPicture[],
    unusedOwnerId?: number,
    waiting = WaitingTime.ofCurrentRequest(),
  ): Promise<void> {
    const mayBeFirst = await requireMounted(this.storage, this.database);
    await this.database.transaction((executor) =>
      addPictures(executor, pictures, { unusedOwnerId }),
    );
    const work = { address: addressOfRequest(), cost: pictures.length };
    const turn = await this.storing.acquire(work, waiting);
    try {
      for (const picture of pictures) {
        await turn.next(1);
        requirePresence();
        await this.putFiles(picture, mayBeFirst);
      }
    } finally {
      turn.end();
    }
  }

  private async putFiles(
    { hash, extension, large, small }: PreparedPicture,
    mayBeFirst: boolean,
  ): Promise<void> {
    const put = async (variant: Variant, file: PictureFile): Promise<void> =>
      this.storage.put(fileName(hash, variant, extension), await file.read(), mayBeFirst);
    const puts = await Promise.allSettled([put('l', large), put('s', small)]);
    for (const one of puts) if (one.status === 'rejected') throw one.reason;
  }
}
