import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { PICTURES_FOLDER } from '../../src/backup/archive';
import { createBackup } from '../../src/backup/create';
import { testSettings } from '../settings';
import { EmbeddedService } from './embedded';
import { processesWith } from './processes';

/** More than the buffers of a backup. */
const LARGE_BYTES = 4 * 1024 * 1024;

let service: EmbeddedService;
beforeAll(async () => {
  service = await EmbeddedService.open();
});
afterAll(async () => {
  await service.close();
});

it.each<[string, (folder: string) => Promise<unknown>]>([
  ['missing', () => Promise.resolve()],
  ['another folder of pictures', (folder) => mkdir(join(folder, '00'), { recursive: true })],
])(
  'a backup fails when the folder of pictures becomes %s meanwhile',
  async (_, put) => {
    const folder = join(service.workshop.folder, 'mount');
    const pictures = ['a', 'b', 'c', 'd'].map((digit) => `${digit.repeat(64)}-l.jpg`);
    for (const name of pictures) {
      await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
      await writeFile(join(folder, name.slice(0, 2), name), randomBytes(LARGE_BYTES));
    }
    const found: string[] = [];
    const archive = extract();
    archive.on('entry', ({ name }, content, next) => {
      content.on('end', next);
      const isFirst = found.length === 0 && name.startsWith(PICTURES_FOLDER);
      if (name.startsWith(PICTURES_FOLDER)) found.push(name);
      // The buffers are full, so that the backup waits in its first or second picture.
      const replaced = isFirst
        ? rename(folder, `${folder}.away`).then(() => put(folder))
        : Promise.resolve();
      replaced.then(() => content.resume(), next);
    });
    const out = createGunzip();
    const reading = pipeline(out, archive).catch(() => undefined);
    const settings = testSettings({ ...service.env, PICTURES_DIR: folder });
    await expect(createBackup(settings, out, new AbortController().signal)).rejects.toThrow(
      /mount was unmounted or replaced during the backup\. Is the file system mounted\?$/,
    );
    await reading;
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(pictures.length);
    for (const path of [folder, `${folder}.away`]) await rm(path, { recursive: true, force: true });
    expect(await processesWith(service.dataDir)).toEqual([]);
  },
  300_000,
);
