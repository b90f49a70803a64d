import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Semaphore } from '../api/body/semaphore';
import { Database } from '../database/database';
import { readHeader, reencode } from './picture-encoding';
import { fileName, pathOf } from './picture-names';
import { PictureStorage } from './picture-storage';
import { addPictures, type PictureRecord } from './pictures.repository';

/** A picture that was checked and drawn, ready to be stored. */
export interface PreparedPicture extends PictureRecord {
  /** What `photos` of an annotation keep: the path of the large file. */
  readonly path: string;
  readonly large: Buffer;
  readonly small: Buffer;
}

/** Pixels, in millions, that are decoded at once, and the least that a picture counts as. */
const MEGAPIXELS = 50;
const MIN_MEGAPIXELS = 25;

/**
 * Takes in pictures of users. The way of one: {@link prepare}, then {@link store}, then, in the
 * transaction that writes what shows it, `addPictures` and `usePictures`. When that fails, the
 * sweeper removes what was stored.
 */
@Injectable()
export class PicturesService {
  /** Two pictures at once, or a very large one alone. */
  private readonly turns = new Semaphore(MEGAPIXELS);

  constructor(
    private readonly storage: PictureStorage,
    private readonly database: Database,
  ) {}

  /**
   * Checks a picture by its content and draws it anew, in the two sizes that are kept.
   *
   * @throws ApiError 1008 for anything but JPEG, PNG, GIF and BMP (an empty file, too), 1009 for
   * what cannot be decoded or has too many pixels
   */
  async prepare(bytes: Buffer): Promise<PreparedPicture> {
    const claim = await readHeader(bytes);
    const weight = Math.ceil((claim.width * claim.height) / 1_000_000);
    const end = await this.turns.acquire(Math.max(weight, MIN_MEGAPIXELS));
    try {
      const { extension, width, height, large, small } = await reencode(bytes, claim);
      const hash = createHash('sha256').update(large).digest('hex');
      const path = pathOf(fileName(hash, 'l', extension));
      return { hash, extension, width, height, size: large.length, path, large, small };
    } finally {
      end();
    }
  }

  /**
   * Stores the files of pictures, before the transaction that uses them. Their rows come first and
   * by themselves: a picture with a row is not swept away, however old its files.
   *
   * @throws ApiError 999 with 503 when the storage or the database is away
   */
  async store(pictures: readonly PreparedPicture[]): Promise<void> {
    await addPictures(this.database, pictures);
    for (const { hash, extension, large, small } of pictures) {
      await this.storage.put(fileName(hash, 'l', extension), large);
      await this.storage.put(fileName(hash, 's', extension), small);
    }
  }
}
