import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Semaphore } from '../api/body/semaphore';
import { type PictureFile } from '../api/body/uploads';
import { ApiError, unavailable } from '../api/errors/error-codes';
import { currentRequest } from '../api/http/current-request';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { requireMounted } from './mounted-pictures';
import { type ImageHeader } from './picture-encoding';
import { requireFormat } from './picture-formats';
import { fileName, pathOf } from './picture-names';
import { PictureProcess } from './picture-process';
import { PictureStorage } from './picture-storage';
import { PictureTurns } from './picture-turns';
import { addPictures, pictureBytesOfUser, type PictureRecord } from './pictures.repository';

/** A checked and re-encoded picture, ready to be stored. */
export interface PreparedPicture extends PictureRecord {
  /** The path of the large file, as `photos` of annotations store it. */
  readonly path: string;
  readonly large: Buffer;
  readonly small: Buffer;
}

/** A prepared picture without its files. */
export type StoredPicture = Omit<PreparedPicture, 'large' | 'small'>;

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

/**
 * Ingests uploaded pictures: {@link prepare}, then {@link store}, then `addPictures` and
 * `usePictures` in the transaction that writes the subject. If it fails, the sweeper deletes the
 * stored files.
 */
@Injectable()
export class PicturesService implements OnApplicationShutdown {
  private readonly turns = new PictureTurns();
  /** Limits the headers that are read at once. */
  private readonly headers = new Semaphore(1);
  private readonly process = new PictureProcess();

  constructor(
    private readonly storage: PictureStorage,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

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
   * Reads the header of a file, which {@link prepare} needs. One header at a time: the whole file is
   * in memory then, in several copies.
   * @throws ApiError 1008 or 1009 for a file that is not accepted (`readHeader`); 999 with 503 when
   *   the server cannot process pictures
   */
  async readHeader(file: PictureFile): Promise<ImageHeader> {
    const end = await this.headers.acquire();
    try {
      const bytes = await file.read();
      // Other files need no process.
      requireFormat(bytes);
      return await this.process.readHeader(bytes);
    } finally {
      end();
    }
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
   * sizes. The files of a picture, up to 6 MB, are in memory until the next one.
   * @param pictures files with their headers
   * @param use receives each prepared picture
   * @returns the results of `use`, in the same order
   * @throws ApiError 1009 for a picture that cannot be decoded; 999 with 503 when the client leaves, or
   *   the process that decodes it ends
   */
  async prepare<T>(
    pictures: readonly MeasuredPicture[],
    use: (picture: PreparedPicture) => Promise<T>,
  ): Promise<T[]> {
    const request = currentRequest();
    const headers = pictures.map(({ header }) => header);
    const end = await this.turns.acquire(headers, request);
    try {
      const results: T[] = [];
      // Sequential, because decoded pixels need much more memory than the files.
      for (const picture of pictures) {
        if (request?.presence.hasLeft === true) throw unavailable(undefined);
        results.push(await use(await this.preparePicture(picture)));
      }
      return results;
    } finally {
      end();
    }
  }

  private async preparePicture({ file, header }: MeasuredPicture): Promise<PreparedPicture> {
    const encoded = await this.process.reencode(await file.read(), header);
    const { extension, width, height, large, small } = encoded;
    const hash = createHash('sha256').update(large).digest('hex');
    const path = pathOf(fileName(hash, 'l', extension));
    const sizes = { size: large.length, smallSize: small.length };
    return { hash, extension, width, height, ...sizes, path, large, small };
  }

  /**
   * Stores picture files before the transaction that uses them. Their rows are committed first, so
   * that the sweeper does not delete the files.
   * @param unusedOwnerId the user in whose storage they count until they are used (D123)
   * @throws ApiError 999 with 503 when the storage or the database is unavailable, when the storage
   *   is not mounted, or while the files of the same picture are being deleted
   */
  async store(pictures: readonly PreparedPicture[], unusedOwnerId?: number): Promise<void> {
    const mayBeFirst = await requireMounted(this.storage, this.database);
    await this.database.transaction((executor) => addPictures(executor, pictures, unusedOwnerId));
    for (const { hash, extension, large, small } of pictures) {
      await this.storage.put(fileName(hash, 'l', extension), large, mayBeFirst);
      await this.storage.put(fileName(hash, 's', extension), small, mayBeFirst);
    }
  }
}
