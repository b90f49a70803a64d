import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../../src/config/settings';
import { DiskStorage } from '../../../src/images/disk-storage';
import { fileName } from '../../../src/images/picture-names';
import { PictureSweeper } from '../../../src/images/picture-sweeper';
import {
  addPictures,
  removeUses,
  setPrivate,
  usePictures,
} from '../../../src/images/pictures.repository';
import { PicturesService, type PreparedPicture } from '../../../src/images/pictures.service';
import { flat } from '../../factories/pictures';
import { openTestDatabase, type TestDatabase } from '../../harness';
import { prepareOne } from '../../factories/prepared-pictures';

/** A storage that lets the test step in before and after a file is removed. */
class WatchedStorage extends DiskStorage {
  before: () => Promise<unknown> = () => Promise.resolve();
  after: () => Promise<unknown> = () => Promise.resolve();

  override async delete(name: string): Promise<void> {
    await this.before();
    await super.delete(name);
    await this.after();
  }
}

let opened: TestDatabase;
let folder: string;
let storage: WatchedStorage;
let pictures: PicturesService;
let sweeper: PictureSweeper;
beforeEach(async () => {
  opened = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commonplace-sweep-'));
  storage = new WatchedStorage(folder);
  pictures = new PicturesService(storage, opened.database, new Settings());
  sweeper = new PictureSweeper(opened.database, storage);
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

let colour = 0x101010;
const make = async (): Promise<PreparedPicture> => {
  colour += 0x030507;
  return prepareOne(
    pictures,
    await flat(40, 30, `#${colour.toString(16)}`)
      .png()
      .toBuffer(),
  );
};
const filesOf = ({ hash, extension }: PreparedPicture): string[] => [
  fileName(hash, 'l', extension),
  fileName(hash, 's', extension),
];
const stored = async (picture: PreparedPicture): Promise<number> => {
  const names = [];
  for await (const { name } of storage.list()) names.push(name);
  return names.filter((name) => filesOf(picture).includes(name)).length;
};
const rows = async (table: string): Promise<number> => {
  const [row]: { count: string }[] = await opened.source.query(`SELECT count(*) FROM ${table}`);
  return Number(row?.count);
};

/** Takes pictures in as a write does. */
async function show(id: number, ...shown: PreparedPicture[]): Promise<number[]> {
  await pictures.store(shown);
  return opened.database.transaction(async (runner) => {
    await addPictures(runner, shown);
    const uses = shown.map(({ hash }, at) => ({ number: at + 1, hash, private: false }));
    return usePictures(runner, 'annotation', id, uses);
  });
}
const forget = (id: number) => removeUses(opened.database, 'annotation', id, null);

/** Makes pictures older than they are, files and rows alike. */
async function age(seconds: number, ...old: PreparedPicture[]): Promise<void> {
  const then = Date.now() / 1000 - seconds;
  for (const name of old.flatMap(filesOf)) {
    await utimes(join(folder, name.slice(0, 2), name), then, then);
  }
  await opened.source.query(
    `UPDATE pictures SET last_referenced_at = now() - make_interval(secs => $1)
     WHERE encode(hash, 'hex') = ANY($2)`,
    [seconds, old.map(({ hash }) => hash)],
  );
}

describe('uses of pictures', () => {
  it('exist for any number of subjects, and for one picture under several numbers', async () => {
    const [one, other] = [await make(), await make()];
    expect(await show(1, one, other, one)).toEqual([]);
    expect(await show(2, one)).toEqual([]);
    expect([await rows('pictures'), await rows('picture_uses')]).toEqual([2, 4]);
    await forget(1);
    expect([await rows('pictures'), await rows('picture_uses')]).toEqual([2, 1]);
  });

  it('keep their number: another picture cannot take it', async () => {
    const [one, other, third] = [await make(), await make(), await make()];
    await show(1, one);
    expect(await show(1, other, third)).toEqual([1]);
    const uses: object[] = await opened.source.query(
      `SELECT number, encode(hash, 'hex') AS hash FROM picture_uses ORDER BY number`,
    );
    expect(uses).toEqual([
      { number: 1, hash: one.hash },
      { number: 2, hash: third.hash },
    ]);
  });

  it('become private and public with their subject', async () => {
    await show(1, await make(), await make());
    await show(2, await make());
    await setPrivate(opened.database, 'annotation', 1, true);
    const uses: object[] = await opened.source.query(
      'SELECT subject_id, private FROM picture_uses ORDER BY subject_id, number',
    );
    expect(uses).toEqual([
      { subject_id: '1', private: true },
      { subject_id: '1', private: true },
      { subject_id: '2', private: false },
    ]);
  });

  it('can be written concurrently without errors', async () => {
    const [one, other] = [await make(), await make()];
    const writes = Array.from({ length: 20 }, (_, at) =>
      at % 2 ? show(at + 1, one, other) : show(at + 1, other, one),
    );
    expect((await Promise.all(writes)).flat()).toEqual([]);
    await Promise.all(writes.map((_write, at) => forget(at + 1)));
    expect([await rows('pictures'), await rows('picture_uses')]).toEqual([2, 0]);
  });
});

describe('the picture sweeper', () => {
  it('keeps pictures in use, regardless of their age', async () => {
    const picture = await make();
    await show(1, picture);
    await age(1_000_000, picture);
    expect(await sweeper.sweep()).toBe(0);
    expect(await stored(picture)).toBe(2);
  });

  it('removes pictures one hour after their last use', async () => {
    const picture = await make();
    await show(1, picture);
    await age(1_000_000, picture);
    await forget(1);
    expect(await sweeper.sweep()).toBe(0);
    await age(3590, picture);
    expect(await sweeper.sweep()).toBe(0);
    await age(3610, picture);
    expect(await sweeper.sweep()).toBe(2);
    expect([await stored(picture), await rows('pictures')]).toEqual([0, 0]);
  });

  it('removes pictures without a use and files without a row after one hour', async () => {
    const [failed, orphan] = [await make(), await make()];
    await pictures.store([failed, orphan]);
    await age(3610, failed, orphan);
    await opened.source.query(`DELETE FROM pictures WHERE encode(hash, 'hex') = $1`, [orphan.hash]);
    const fresh = await make();
    await pictures.store([fresh]);
    await opened.source.query(`DELETE FROM pictures WHERE encode(hash, 'hex') = $1`, [fresh.hash]);
    expect(await sweeper.sweep()).toBe(4);
    expect([await stored(failed), await stored(orphan), await stored(fresh)]).toEqual([0, 0, 2]);
    // It leaves nothing of its own behind.
    expect(await rows('pictures')).toBe(0);
  });

  it('removes leftover temporary files, also of pictures in use', async () => {
    const picture = await make();
    await show(1, picture);
    const [file = ''] = filesOf(picture);
    const left = join(folder, file.slice(0, 2), `${file}.01234567-89ab-cdef-0123-456789abcdef.tmp`);
    await writeFile(left, 'x');
    expect(await sweeper.sweep()).toBe(0);
    await utimes(left, 1, 1);
    expect(await sweeper.sweep()).toBe(1);
    expect(await stored(picture)).toBe(2);
  });

  it('removes any number of pictures', async () => {
    const names = Array.from({ length: 1200 }, (_, at) =>
      fileName(at.toString(16).padStart(64, '0'), 'l', 'png'),
    );
    await mkdir(join(folder, '00'));
    for (const name of names) {
      await writeFile(join(folder, '00', name), 'x');
      await utimes(join(folder, name.slice(0, 2), name), 1, 1);
    }
    expect(await sweeper.sweep()).toBe(1200);
  });
});

describe('a picture that is uploaded during a sweep', () => {
  it('stays when it is used before its row is deleted', async () => {
    const picture = await make();
    await show(1, picture);
    await forget(1);
    await age(4000, picture);
    // It is added again and used, but not yet for others to see, when the sweep comes.
    await opened.database.transaction(async (runner) => {
      await addPictures(runner, [picture]);
      const use = { number: 1, hash: picture.hash, private: false };
      await usePictures(runner, 'annotation', 2, [use]);
      expect(await sweeper.sweep()).toBe(0);
    });
    expect(await sweeper.sweep()).toBe(0);
    expect(await stored(picture)).toBe(2);
  });

  /** A picture whose files the next sweep deletes. */
  const makeUnused = async (): Promise<PreparedPicture> => {
    const picture = await make();
    await show(1, picture);
    await forget(1);
    await age(4000, picture);
    return picture;
  };
  const endRemovals = () =>
    opened.source.query(`UPDATE picture_removals SET ends_at = now() - interval '1 second'`);
  const BEING_DELETED = { status: 503, detail: expect.stringContaining('being deleted') as string };

  it('is rejected while its files are being deleted, and stored afterwards', async () => {
    const picture = await makeUnused();
    const uploads: unknown[] = [];
    storage.before = async () => {
      uploads.push(await show(2, picture).catch((error: unknown) => error));
    };
    expect(await sweeper.sweep()).toBe(2);
    expect(uploads).toMatchObject([BEING_DELETED, BEING_DELETED]);
    // The rejected uploads leave no row, which would stand for files.
    expect([await rows('pictures'), await rows('picture_removals')]).toEqual([0, 0]);
    expect(await show(2, picture)).toEqual([]);
    expect(await sweeper.sweep()).toBe(0);
    expect(await stored(picture)).toBe(2);
  });

  it('is rejected also when the sweeper has lost its connections', async () => {
    const picture = await makeUnused();
    let upload: unknown;
    storage.after = async () => {
      if (upload !== undefined) return;
      await opened.source.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      upload = await show(2, picture).catch((error: unknown) => error);
    };
    // The next statement of the sweeper may meet a connection that PostgreSQL has ended.
    await sweeper.sweep().catch(() => 0);
    expect(upload).toMatchObject({ status: 503 });
    await endRemovals();
    expect(await show(2, picture)).toEqual([]);
    expect(await stored(picture)).toBe(2);
  });

  it('is rejected while it is not known whether a file was deleted', async () => {
    const picture = await makeUnused();
    const givenUp = new Error('the bucket did not respond');
    let late: (() => Promise<void>) | undefined;
    jest.spyOn(storage, 'delete').mockImplementationOnce((name) => {
      late = () => DiskStorage.prototype.delete.call(storage, name);
      return Promise.reject(givenUp);
    });
    await expect(sweeper.sweep()).rejects.toBe(givenUp);
    await expect(show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    // The bucket deletes it later than the sweeper waited.
    await late?.();
    await expect(show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    await endRemovals();
    expect(await show(2, picture)).toEqual([]);
    expect(await sweeper.sweep()).toBe(0);
    expect(await stored(picture)).toBe(2);
  });

  it('keeps its files from a sweeper that goes on after its time', async () => {
    const picture = await makeUnused();
    storage.after = async () => {
      await endRemovals();
      await show(2, picture);
    };
    expect(await sweeper.sweep()).toBe(1);
    expect(await stored(picture)).toBe(2);
  });

  it('a later sweep deletes what another one left when it ended', async () => {
    const picture = await makeUnused();
    storage.after = () => Promise.reject(new Error('the process ends'));
    await expect(sweeper.sweep()).rejects.toThrow('the process ends');
    storage.after = () => Promise.resolve();
    // Another process may still delete it.
    expect(await sweeper.sweep()).toBe(0);
    await endRemovals();
    expect(await sweeper.sweep()).toBe(1);
    expect([await stored(picture), await rows('picture_removals')]).toEqual([0, 0]);
  });

  it('is never lost in any order of events', async () => {
    const shared = await Promise.all([make(), make(), make()]);
    for (let round = 1; round <= 15; round += 1) {
      await show(round, ...shared);
      await forget(round);
      await age(4000, ...shared);
      const upload = async (at: number): Promise<void> => {
        for (;;) {
          const outcome = await show(1000 * round + at, ...shared).catch((error: unknown) => error);
          if (Array.isArray(outcome)) return;
          expect(outcome).toMatchObject(BEING_DELETED);
        }
      };
      const uploads = [1, 2, 3].map(upload);
      const sweeps = [1, 2].map(() => sweeper.sweep());
      await Promise.all([...uploads, ...sweeps]);
      for (const picture of shared) expect(await stored(picture)).toBe(2);
      expect(await rows('pictures')).toBe(3);
      for (const at of [1, 2, 3]) await forget(1000 * round + at);
    }
    await age(4000, ...shared);
    expect(await sweeper.sweep()).toBe(6);
    for (const picture of shared) expect(await stored(picture)).toBe(0);
  });
});
