import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SweepScene } from './sweep-scene';

let scene: SweepScene;
beforeEach(async () => {
  scene = await SweepScene.open();
});
afterEach(async () => {
  await scene.close();
});

describe('the deletion of unused pictures', () => {
  it.each([
    ['the first', 1],
    ['the last', 4],
  ])('repeats deletions after the storage was unmounted before %s of them', async (_, count) => {
    await scene.show(1, await scene.make());
    const deleted = [await scene.make(), await scene.make()];
    await scene.pictures.store(deleted);
    await scene.age(200_000, ...deleted);
    await scene.deleteEarlier(100_000, ...deleted);
    const mounted = `${scene.folder}-mounted`;
    let deletions = 0;
    scene.storage.before = async () => {
      deletions += 1;
      if (deletions !== count) return;
      await rename(scene.folder, mounted);
      await mkdir(join(scene.folder, '00'), { recursive: true });
    };
    await expect(scene.sweeper.sweep()).rejects.toMatchObject({ status: 503 });
    expect(await scene.rows('deleted_pictures')).toBe(2);
    await rm(scene.folder, { recursive: true });
    await rename(mounted, scene.folder);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 5 - count, unknown: 0 });
    expect(await scene.rows('deleted_pictures')).toBe(0);
  });

  it('repeats deletions after the storage was not mounted, also without any use', async () => {
    const picture = await scene.make();
    await scene.pictures.store([picture]);
    await scene.age(200_000, picture);
    await scene.deleteEarlier(100_000, picture);
    const mounted = `${scene.folder}-mounted`;
    await rename(scene.folder, mounted);
    await mkdir(scene.folder);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 0, unknown: 0 });
    await rmdir(scene.folder);
    await rename(mounted, scene.folder);
    expect(await scene.sweeper.sweep()).toEqual({ removed: 2, unknown: 0 });
  });
});
