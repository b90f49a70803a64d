import { mkdir, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { unavailable } from '../../../src/api/errors/error-codes';
import { fileName } from '../../../src/images/picture-names';
import { setPrivate } from '../../../src/images/pictures.repository';
import { type PreparedPicture } from '../../../src/images/pictures.service';
import { PictureSweeper } from '../../../src/images/picture-sweeper';
import { openTestDatabase } from '../../harness';
import { SweepScene } from './sweep-scene';

let scene: SweepScene;
beforeEach(async () => {
  scene = await SweepScene.open();
});
afterEach(async () => {
  await scene.close();
});

describe('uses of pictures', () => {
  it('exist for any number of subjects, and for one picture under several numbers', async () => {
    const [one, other] = [await scene.make(), await scene.make()];
    expect(await scene.show(1, one, other, one)).toEqual([]);
    expect(await scene.show(2, one)).toEqual([]);
    expect([await scene.rows('pictures'), await scene.rows('picture_uses')]).toEqual([2, 4]);
    await scene.forget(1);
    expect([await scene.rows('pictures'), await scene.rows('picture_uses')]).toEqual([2, 1]);
  });

  it('keep their number: another picture cannot take it', async () => {
    const [one, other, third] = [await scene.make(), await scene.make(), await scene.make()];
    await scene.show(1, one);
    expect(await scene.show(1, other, third)).toEqual([1]);
    const uses: object[] = await scene.opened.source.query(
      `SELECT number, encode(hash, 'hex') AS hash FROM picture_uses ORDER BY number`,
    );
    expect(uses).toEqual([
      { number: 1, hash: one.hash },
      { number: 2, hash: third.hash },
    ]);
  });

  it('become private and public with their subject', async () => {
    await scene.show(1, await scene.make(), await scene.make());
    await scene.show(2, await scene.make());
    await setPrivate(scene.opened.database, 'annotation', 1, true);
    const uses: object[] = await scene.opened.source.query(
      'SELECT subject_id, private FROM picture_uses ORDER BY subject_id, number',
    );
    expect(uses).toEqual([
      { subject_id: '1', private: true },
      { subject_id: '1', private: true },
      { subject_id: '2', private: false },
    ]);
  });

  it('can be written concurrently without errors', async () => {
    const [one, other] = [await scene.make(), await scene.make()];
    const writes = Array.from({ length: 20 }, (_, at) =>
      at % 2 ? scene.show(at + 1, one, other) : scene.show(at + 1, other, one),
    );
    expect((await Promise.all(writes)).flat()).toEqual([]);
    await Promise.all(writes.map((_write, at) => scene.forget(at + 1)));
    expect([await scene.rows('pictures'), await scene.rows('picture_uses')]).toEqual([2, 0]);
  });
});

/** Expects that a picture, the only one, is deleted one hour after it was stored or used. */
async function expectSweptAfterAnHour(picture: PreparedPicture): Promise<void> {
  await scene.age(3590, picture);
  expect(await scene.sweep()).toBe(0);
  await scene.age(3610, picture);
  expect(await scene.sweep()).toBe(2);
  expect([await scene.stored(picture), await scene.rows('pictures')]).toEqual([0, 0]);
}

describe('the picture sweeper', () => {
  it('keeps pictures in use, regardless of their age', async () => {
    const picture = await scene.make();
    await scene.show(1, picture);
    await scene.age(1_000_000, picture);
    expect(await scene.sweep()).toBe(0);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('removes pictures one hour after their last use', async () => {
    const picture = await scene.make();
    await scene.show(1, picture);
    await scene.age(1_000_000, picture);
    await scene.forget(1);
    expect(await scene.sweep()).toBe(0);
    await expectSweptAfterAnHour(picture);
  });

  it('removes pictures of failed uploads after one hour', async () => {
    const failed = await scene.make();
    await scene.pictures.store([failed]);
    await expectSweptAfterAnHour(failed);
  });

  it('keeps files without a row, and deletes them with deleteUnknown', async () => {
    const [known, other, fresh] = [await scene.make(), await scene.make(), await scene.make()];
    await scene.show(1, known);
    await scene.pictures.store([other, fresh]);
    await scene.age(3610, known, other);
    for (const picture of [other, fresh]) await scene.loseRow(picture);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 2 });
    expect(await scene.sweeper.sweep({ deleteUnknown: true })).toEqual({ removed: 2, unknown: 0 });
    const pictures = [known, other, fresh];
    expect(await Promise.all(pictures.map((picture) => scene.stored(picture)))).toEqual([2, 0, 2]);
    // It leaves nothing of its own behind.
    const tables = ['pictures', 'picture_removals', 'deleted_pictures'];
    expect(await Promise.all(tables.map((table) => scene.rows(table)))).toEqual([1, 0, 0]);
  });

  it('keeps files that were stored after a deletion of the same picture here', async () => {
    const picture = await scene.make();
    await scene.pictures.store([picture]);
    await scene.age(3610, picture);
    await scene.deleteEarlier(3620, picture);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 2 });
  });

  it('deletes nothing while the storage is not mounted', async () => {
    const [used, unused] = [await scene.make(), await scene.make()];
    await scene.show(1, used);
    await scene.pictures.store([unused]);
    await scene.age(3610, unused);
    const mounted = `${scene.folder}-mounted`;
    await rename(scene.folder, mounted);
    await expect(scene.sweeper.sweep()).rejects.toMatchObject({ status: 503 });
    await rename(mounted, scene.folder);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 2, unknown: 0 });
  });

  it('keeps all pictures when the server is started with another database', async () => {
    const picture = await scene.make();
    await scene.show(1, picture);
    await scene.age(1_000_000, picture);
    const other = await openTestDatabase();
    try {
      const sweeper = new PictureSweeper(other.database, scene.storage);
      expect(await sweeper.sweep()).toEqual({ removed: 0, unknown: 2 });
      expect(await scene.stored(picture)).toBe(2);
    } finally {
      await other.close();
    }
  });

  it('keeps a picture that was stored again after its deletion', async () => {
    const picture = await scene.make();
    await scene.pictures.store([picture]);
    await scene.age(3610, picture);
    expect(await scene.sweep()).toBe(2);
    await scene.show(1, picture);
    await scene.age(3610, picture);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 0 });
    expect(await scene.stored(picture)).toBe(2);
  });

  it('forgets deletions after a day', async () => {
    const picture = await scene.make();
    await scene.pictures.store([picture]);
    await scene.age(3610, picture);
    await scene.sweep();
    expect(await scene.rows('deleted_pictures')).toBe(1);
    await scene.opened.source.query(
      `UPDATE deleted_pictures SET deleted_at = deleted_at - interval '1 day 1 second'`,
    );
    await scene.sweep();
    expect(await scene.rows('deleted_pictures')).toBe(0);
  });

  it('deletes the others when a file cannot be deleted, and tries it again in later runs', async () => {
    const pictures = await Promise.all([1, 2, 3].map(() => scene.make()));
    await scene.pictures.store(pictures);
    const [failing, ...others] = pictures.toSorted((one, other) =>
      one.hash < other.hash ? -1 : 1,
    );
    const path = scene.pathOf(failing as PreparedPicture);
    // It cannot be deleted as a file.
    await rm(path);
    await mkdir(path);
    await scene.age(3610, ...pictures);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 5, unknown: 0, failed: 1 });
    expect(await Promise.all(others.map((one) => scene.stored(one)))).toEqual([0, 0]);
    await scene.opened.source.query(
      `UPDATE deleted_pictures SET deleted_at = deleted_at - interval '1 day 1 second'`,
    );
    await utimes(path, 1, 1);
    // Another run of the next minutes leaves it alone.
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 0 });
    expect(await scene.rows('deleted_pictures')).toBe(1);
    await scene.opened.source.query('DELETE FROM picture_removals');
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 0, failed: 1 });
    expect(await scene.rows('deleted_pictures')).toBe(1);
    await rmdir(path);
    await writeFile(path, 'x');
    await utimes(path, 1, 1);
    await scene.opened.source.query('DELETE FROM picture_removals');
    expect(await scene.sweeper.sweep()).toEqual({ removed: 1, unknown: 0 });
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 0 });
    expect(await scene.rows('deleted_pictures')).toBe(0);
  });

  it('deletes the others after an error of the disk', async () => {
    const pictures = [await scene.make(), await scene.make()];
    await scene.pictures.store(pictures);
    await scene.age(3610, ...pictures);
    const failure = Object.assign(new Error("EIO: i/o error, unlink '/x'"), {
      ...{ code: 'EIO', syscall: 'unlink' },
    });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let deletions = 0;
    scene.storage.before = () => {
      deletions += 1;
      return deletions > 2 ? Promise.resolve() : Promise.reject(unavailable(failure));
    };
    expect(await scene.sweeper.sweep()).toEqual({ removed: 2, unknown: 0, failed: 2 });
    expect(warn.mock.calls).toEqual([
      ["2 picture files could not be deleted, the first with EIO: i/o error, unlink '/x'"],
    ]);
    warn.mockRestore();
  });

  it('ends when the storage is unavailable', async () => {
    const picture = await scene.make();
    await scene.pictures.store([picture]);
    await scene.age(3610, picture);
    scene.storage.before = () => Promise.reject(unavailable(new Error('no result from the disk')));
    await expect(scene.sweeper.sweep()).rejects.toMatchObject({ status: 503 });
    expect(await scene.rows('deleted_pictures')).toBe(1);
  });

  it('removes leftover temporary files, also of pictures in use', async () => {
    const picture = await scene.make();
    await scene.show(1, picture);
    const left = `${scene.pathOf(picture)}.01234567-89ab-cdef-0123-456789abcdef.tmp`;
    await writeFile(left, 'x');
    expect(await scene.sweep()).toBe(0);
    await utimes(left, 1, 1);
    expect(await scene.sweep()).toBe(1);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('removes any number of pictures', async () => {
    const names = Array.from({ length: 1200 }, (_, at) =>
      fileName(at.toString(16).padStart(64, '0'), 'l', 'png'),
    );
    await mkdir(join(scene.folder, '00'));
    for (const name of names) {
      await writeFile(join(scene.folder, '00', name), 'x');
      await utimes(join(scene.folder, name.slice(0, 2), name), 1, 1);
    }
    expect(await scene.sweep()).toBe(0);
    await scene.opened.source.query(
      `INSERT INTO deleted_pictures (hash) SELECT decode(lpad(to_hex(n), 64, '0'), 'hex')
       FROM generate_series(0, 1199) n`,
    );
    expect(await scene.sweep()).toBe(1200);
  });

  /** Adds rows of pictures with a last use two hours ago; every third one is in use. */
  async function addRows(count: number): Promise<void> {
    // Without it the folder counts as not mounted.
    await mkdir(join(scene.folder, '00'));
    await scene.opened.source.query(`
      INSERT INTO pictures (hash, extension, width, height, bytes, last_referenced_at)
      SELECT sha256(n::text::bytea), 'png', 1, 1, 1, now() - interval '2 hours'
      FROM generate_series(1, ${count}) n;
      INSERT INTO picture_uses (subject, subject_id, number, hash, private)
      SELECT 'note', n, 1, sha256(n::text::bytea), false FROM generate_series(3, ${count}, 3) n`);
  }

  it('deletes rows in statements that check at most 5000 of them', async () => {
    await addRows(15_000);
    // Counts the rows of each statement.
    await scene.opened.source.query(`
      CREATE TABLE deletions (count integer);
      CREATE FUNCTION count_deletions() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO deletions SELECT count(*) FROM gone; RETURN NULL; END';
      CREATE TRIGGER count_deletions AFTER DELETE ON pictures REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION count_deletions()`);
    await scene.sweep();
    const [deleted]: object[] = await scene.opened.source.query(
      'SELECT sum(count)::int AS all, max(count) <= 5000 AS bounded FROM deletions',
    );
    expect(deleted).toEqual({ all: 10_000, bounded: true });
    expect([await scene.rows('pictures'), await scene.rows('deleted_pictures')]).toEqual([
      5000, 10_000,
    ]);
  });

  it('deletes no rows after it is stopped', async () => {
    await addRows(3);
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(scene.sweeper.sweep({ signal })).rejects.toThrow('stopped');
    expect(await scene.rows('pictures')).toBe(3);
  });
});
