import { PICTURES_DISK } from '../../../src/api/body/disk-operations';
import { DiskStorage } from '../../../src/images/disk-storage';
import {
  addPictures,
  referencePictures,
  usePictures,
} from '../../../src/images/pictures.repository';
import { type PreparedPicture } from '../../../src/images/pictures.service';
import { until } from '../../e2e/process/until';
import { SweepScene } from './sweep-scene';

let scene: SweepScene;
beforeEach(async () => {
  scene = await SweepScene.open();
});
afterEach(async () => {
  jest.useRealTimers();
  await scene.close();
});

describe('a picture that is uploaded during a sweep', () => {
  it('stays when it is used before its row is deleted', async () => {
    const picture = await scene.make();
    await scene.show(1, picture);
    await scene.forget(1);
    await scene.age(4000, picture);
    // It is added again and used, but not yet for others to see, when the sweep comes.
    await scene.opened.database.transaction(async (runner) => {
      await addPictures(runner, [picture]);
      const use = { number: 1, hash: picture.hash, private: false };
      await usePictures(runner, 'annotation', 2, [use]);
      expect(await scene.sweep()).toBe(0);
    });
    expect(await scene.sweep()).toBe(0);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('is rejected when its files were deleted before it is used', async () => {
    const picture = await scene.make();
    await scene.pictures.store([picture]);
    await scene.age(4000, picture);
    expect(await scene.sweep()).toBe(2);
    const use = scene.opened.database.transaction((executor) =>
      referencePictures(executor, [picture]),
    );
    await expect(use).rejects.toMatchObject({ status: 503 });
    expect(await scene.rows('pictures')).toBe(0);
  });

  /** A picture whose files the next sweep deletes. */
  const makeUnused = async (): Promise<PreparedPicture> => {
    const picture = await scene.make();
    await scene.show(1, picture);
    await scene.forget(1);
    await scene.age(4000, picture);
    return picture;
  };
  const endRemovals = () =>
    scene.opened.source.query(`UPDATE picture_removals SET ends_at = now() - interval '1 second'`);
  const BEING_DELETED = { status: 503, detail: expect.stringContaining('being deleted') as string };

  it('is rejected while its files are being deleted, and stored afterwards', async () => {
    const picture = await makeUnused();
    const uploads: unknown[] = [];
    scene.storage.before = async () => {
      uploads.push(await scene.show(2, picture).catch((error: unknown) => error));
    };
    expect(await scene.sweep()).toBe(2);
    expect(uploads).toMatchObject([BEING_DELETED, BEING_DELETED]);
    // The rejected uploads leave no row, which would stand for files.
    expect([await scene.rows('pictures'), await scene.rows('picture_removals')]).toEqual([0, 0]);
    expect(await scene.show(2, picture)).toEqual([]);
    expect(await scene.sweep()).toBe(0);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('is rejected also when the sweeper has lost its connections', async () => {
    const picture = await makeUnused();
    let upload: unknown;
    scene.storage.after = async () => {
      if (upload !== undefined) return;
      await scene.opened.source.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      upload = await scene.show(2, picture).catch((error: unknown) => error);
    };
    // The next statement of the sweeper may meet a connection that PostgreSQL has ended.
    await scene.sweep().catch(() => 0);
    expect(upload).toMatchObject({ status: 503 });
    await endRemovals();
    expect(await scene.show(2, picture)).toEqual([]);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('is rejected while it is not known whether a file was deleted', async () => {
    const picture = await makeUnused();
    const givenUp = new Error('the bucket did not respond');
    let late: (() => Promise<void>) | undefined;
    jest.spyOn(scene.storage, 'delete').mockImplementationOnce((name) => {
      late = async () => void (await DiskStorage.prototype.delete.call(scene.storage, name));
      return Promise.reject(givenUp);
    });
    await expect(scene.sweep()).rejects.toBe(givenUp);
    await expect(scene.show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    // The bucket deletes it later than the sweeper waited.
    await late?.();
    await expect(scene.show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    await endRemovals();
    expect(await scene.show(2, picture)).toEqual([]);
    expect(await scene.sweep()).toBe(0);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('is rejected while an attempt of a deletion that failed may take effect', async () => {
    const picture = await makeUnused();
    jest.spyOn(scene.storage, 'delete').mockImplementationOnce(async (name) => {
      await DiskStorage.prototype.delete.call(scene.storage, name);
      return false;
    });
    expect(await scene.sweep()).toBe(2);
    await expect(scene.show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    await endRemovals();
    expect(await scene.show(2, picture)).toEqual([]);
  });

  it('is rejected until a deletion that hangs has ended, regardless of the time', async () => {
    const picture = await makeUnused();
    let finish: (() => void) | undefined;
    scene.storage.before = () => {
      scene.storage.heldDisk.held = new Promise<void>((resolve) => (finish = resolve));
      return Promise.resolve();
    };
    const endsAt = async (): Promise<Date | undefined> => {
      const found: { ends_at: Date }[] = await scene.opened.source.query('TABLE picture_removals');
      return found[0]?.ends_at;
    };
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'] });
    const sweep = scene.sweep().catch((error: unknown) => error);
    await until(() => Promise.resolve(finish !== undefined));
    scene.storage.heldDisk.held = Promise.resolve();
    jest.advanceTimersByTime(PICTURES_DISK.result);
    expect(await sweep).toMatchObject({ status: 503 });
    for (let minute = 1; minute <= 3; minute += 1) {
      const before = (await endsAt()) ?? new Date(0);
      jest.advanceTimersByTime(60_000);
      await until(async () => ((await endsAt()) ?? before) > before);
    }
    await expect(scene.show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    jest.useRealTimers();
    finish?.();
    await until(async () => (await endsAt()) === undefined);
    expect(await scene.show(2, picture)).toEqual([]);
    expect(await scene.sweep()).toBe(0);
    expect(await scene.stored(picture)).toBe(2);
  });

  describe('after the clock of PostgreSQL was set back', () => {
    /** Makes the ends of removals later than any removal ends. */
    const setClockBack = () =>
      scene.opened.source.query(`UPDATE picture_removals SET ends_at = ends_at + interval '1 day'`);
    const leaveRemoval = async (picture: PreparedPicture): Promise<void> => {
      scene.storage.before = () => Promise.reject(new Error('the process ends'));
      await expect(scene.sweep()).rejects.toThrow('the process ends');
      scene.storage.before = () => Promise.resolve();
      await expect(scene.show(2, picture)).rejects.toMatchObject(BEING_DELETED);
    };

    it('is stored although an earlier removal did not report its end', async () => {
      const picture = await makeUnused();
      await leaveRemoval(picture);
      await setClockBack();
      expect(await scene.show(2, picture)).toEqual([]);
      expect(await scene.sweep()).toBe(0);
      expect([await scene.stored(picture), await scene.rows('picture_removals')]).toEqual([2, 0]);
    });

    it('is deleted if it is unused, although an earlier removal did not report its end', async () => {
      const picture = await makeUnused();
      await leaveRemoval(picture);
      const list = scene.storage.list.bind(scene.storage);
      // The sweep has deleted the rows of ended removals before.
      jest.spyOn(scene.storage, 'list').mockImplementationOnce(async function* () {
        await setClockBack();
        yield* list();
      });
      expect(await scene.sweep()).toBe(2);
      expect([await scene.stored(picture), await scene.rows('picture_removals')]).toEqual([0, 0]);
    });

    it('keeps its files from a sweeper that began before', async () => {
      const picture = await makeUnused();
      // The sweeper also knows the later end.
      await scene.opened.source.query(
        `CREATE FUNCTION end_later() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN NEW.ends_at := NEW.ends_at + interval '1 day'; RETURN NEW; END $$;
         CREATE TRIGGER end_later BEFORE INSERT ON picture_removals
           FOR EACH ROW EXECUTE FUNCTION end_later()`,
      );
      expect(await scene.sweep()).toBe(0);
      expect(await scene.show(2, picture)).toEqual([]);
      expect(await scene.stored(picture)).toBe(2);
    });
  });

  it('keeps its files from a sweeper that goes on after its time', async () => {
    const picture = await makeUnused();
    scene.storage.after = async () => {
      await endRemovals();
      await scene.show(2, picture);
    };
    expect(await scene.sweep()).toBe(1);
    expect(await scene.stored(picture)).toBe(2);
  });

  it('a later sweep deletes what another one left when it ended', async () => {
    const picture = await makeUnused();
    scene.storage.after = () => Promise.reject(new Error('the process ends'));
    await expect(scene.sweep()).rejects.toThrow('the process ends');
    scene.storage.after = () => Promise.resolve();
    // Another process may still delete it.
    expect(await scene.sweep()).toBe(0);
    await endRemovals();
    expect(await scene.sweep()).toBe(1);
    expect([await scene.stored(picture), await scene.rows('picture_removals')]).toEqual([0, 0]);
  });

  it('is never lost in any order of events', async () => {
    const shared = await Promise.all([scene.make(), scene.make(), scene.make()]);
    for (let round = 1; round <= 15; round += 1) {
      await scene.show(round, ...shared);
      await scene.forget(round);
      await scene.age(4000, ...shared);
      const upload = async (at: number): Promise<void> => {
        for (;;) {
          const outcome = await scene
            .show(1000 * round + at, ...shared)
            .catch((error: unknown) => error);
          if (Array.isArray(outcome)) return;
          expect(outcome).toMatchObject(BEING_DELETED);
        }
      };
      const uploads = [1, 2, 3].map(upload);
      const sweeps = [1, 2].map(() => scene.sweep());
      await Promise.all([...uploads, ...sweeps]);
      for (const picture of shared) expect(await scene.stored(picture)).toBe(2);
      expect(await scene.rows('pictures')).toBe(3);
      for (const at of [1, 2, 3]) await scene.forget(1000 * round + at);
    }
    await scene.age(4000, ...shared);
    expect(await scene.sweep()).toBe(6);
    for (const picture of shared) expect(await scene.stored(picture)).toBe(0);
  });
});
