import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DiskOperations,
  PICTURES_DISK,
  type OnLate,
  type OperationOptions,
} from '../../../src/api/body/disk-operations';
import { Settings } from '../../../src/config/settings';
import { DiskStorage } from '../../../src/images/disk-storage';
import { fileName } from '../../../src/images/picture-names';
import { PictureSweeper } from '../../../src/images/picture-sweeper';
import { addPictures, removeUses, usePictures } from '../../../src/images/pictures.repository';
import { PicturesService, type PreparedPicture } from '../../../src/images/pictures.service';
import { flat } from '../../factories/pictures';
import { prepareOne } from '../../factories/prepared-pictures';
import { openTestDatabase, type TestDatabase } from '../../harness';

/** A disk whose operations begin when it is not held. */
class HeldDisk extends DiskOperations {
  held: Promise<unknown> = Promise.resolve();

  override run<T>(work: () => Promise<T>, options?: OperationOptions<T>): Promise<T> {
    return super.run(() => this.held.then(work), options);
  }
}

/** A storage that lets the test step in before and after a file is removed. */
class WatchedStorage extends DiskStorage {
  before: () => Promise<unknown> = () => Promise.resolve();
  after: () => Promise<unknown> = () => Promise.resolve();

  constructor(
    folder: string,
    readonly heldDisk: HeldDisk,
  ) {
    super(folder, heldDisk);
  }

  override async delete(name: string, onLate?: OnLate): Promise<boolean> {
    await this.before();
    const isCertain = await super.delete(name, onLate);
    await this.after();
    return isCertain;
  }
}

const filesOf = ({ hash, extension }: PreparedPicture): string[] => [
  fileName(hash, 'l', extension),
  fileName(hash, 's', extension),
];

/** A database and a folder with pictures, and a sweeper of both. */
export class SweepScene {
  readonly storage: WatchedStorage;
  readonly pictures: PicturesService;
  readonly sweeper: PictureSweeper;
  private colour = 0x101010;

  private constructor(
    readonly opened: TestDatabase,
    readonly folder: string,
  ) {
    this.storage = new WatchedStorage(folder, new HeldDisk(PICTURES_DISK));
    this.pictures = new PicturesService(this.storage, opened.database, new Settings());
    this.sweeper = new PictureSweeper(opened.database, this.storage);
  }

  static async open(): Promise<SweepScene> {
    const opened = await openTestDatabase();
    return new SweepScene(opened, await mkdtemp(join(tmpdir(), 'commonplace-sweep-')));
  }

  async close(): Promise<void> {
    await this.opened.close();
    await rm(this.folder, { recursive: true });
  }

  /** Makes a picture unlike the others. */
  async make(): Promise<PreparedPicture> {
    this.colour += 0x030507;
    const bytes = await flat(40, 30, `#${this.colour.toString(16)}`)
      .png()
      .toBuffer();
    return prepareOne(this.pictures, bytes);
  }

  /** @returns the path of the large file of a picture */
  pathOf(picture: PreparedPicture): string {
    const [name = ''] = filesOf(picture);
    return join(this.folder, name.slice(0, 2), name);
  }

  /** @returns the number of stored files of a picture */
  async stored(picture: PreparedPicture): Promise<number> {
    const names = [];
    for await (const { name } of this.storage.list()) names.push(name);
    return names.filter((name) => filesOf(picture).includes(name)).length;
  }

  async rows(table: string): Promise<number> {
    const [row]: { count: string }[] = await this.opened.source.query(
      `SELECT count(*) FROM ${table}`,
    );
    return Number(row?.count);
  }

  /** Takes pictures in as a write does. */
  async show(id: number, ...shown: PreparedPicture[]): Promise<number[]> {
    await this.pictures.store(shown);
    return this.opened.database.transaction(async (runner) => {
      await addPictures(runner, shown);
      const uses = shown.map(({ hash }, at) => ({ number: at + 1, hash, private: false }));
      return usePictures(runner, 'annotation', id, uses);
    });
  }

  /** Sweeps as the task does. @returns the number of deleted files */
  async sweep(): Promise<number> {
    const { removed } = await this.sweeper.sweep();
    return removed;
  }

  /** Deletes the row of a picture without the sweeper, as if the file were that of another database. */
  async loseRow({ hash }: PreparedPicture): Promise<void> {
    await this.opened.source.query(`DELETE FROM pictures WHERE encode(hash, 'hex') = $1`, [hash]);
  }

  /** Deletes the rows of pictures as a sweep did that could not delete their files. */
  async deleteEarlier(seconds: number, ...pictures: PreparedPicture[]): Promise<void> {
    for (const picture of pictures) {
      await this.loseRow(picture);
      await this.opened.source.query(
        `INSERT INTO deleted_pictures (hash, deleted_at)
         VALUES (decode($1, 'hex'), now() - make_interval(secs => $2))`,
        [picture.hash, seconds],
      );
    }
  }

  forget(id: number): Promise<unknown> {
    return removeUses(this.opened.database, 'annotation', id, null);
  }

  /** Makes pictures older than they are, files and rows alike. */
  async age(seconds: number, ...old: PreparedPicture[]): Promise<void> {
    const then = Date.now() / 1000 - seconds;
    for (const name of old.flatMap(filesOf)) {
      await utimes(join(this.folder, name.slice(0, 2), name), then, then);
    }
    await this.opened.source.query(
      `UPDATE pictures SET last_referenced_at = now() - make_interval(secs => $1)
       WHERE encode(hash, 'hex') = ANY($2)`,
      [seconds, old.map(({ hash }) => hash)],
    );
  }
}
