import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { SpoolFolder } from '../../src/api/body/spool';
import { PicturesService } from '../../src/images/pictures.service';
import { send } from '../e2e/notes/parts';
import { showPicture, someJpeg, startWithPictures } from '../e2e/pictures/pictures';
import { Factories } from '../factories/factories';
import { type Harness } from '../harness';
import { prepareOne } from '../factories/prepared-pictures';
import { HangingFile } from './hanging-file';

/** Requests for files on a disk that hangs: more than libuv has threads. */
const READERS = 8;

/** Uploads to a disk that hangs, as many as a user may send at once. */
const UPLOADS = 2;

let harness: Harness & { readonly folder: string };
let hanging: HangingFile | undefined;
beforeEach(async () => {
  // A body that waits for the disk is not one that arrives slowly.
  harness = await startWithPictures({ MIN_BODY_RATE_SECONDS: '1' });
});
afterEach(async () => {
  hanging?.end();
  hanging = undefined;
  await harness.close();
});

/** Requests pages that need threads: for compression, files, a hash of a password and a connection. */
async function requestPages(): Promise<void> {
  const book = await new Factories(harness.database).aBook();
  for (const page of [`/v2/book/${book}`, '/docs/reference/book', '/', '/v2/book/search?q=a']) {
    const response = await fetch(harness.origin + page, { headers: { 'accept-encoding': 'gzip' } });
    expect([page, response.status]).toEqual([page, 200]);
    await response.arrayBuffer();
  }
}

it('503 for pictures whose disk hangs, while everything else is served', async () => {
  const { path, hash } = await showPicture(harness, await someJpeg(), false);
  const other = await showPicture(harness, await someJpeg(), false);
  const pictures = harness.app.get(PicturesService, { strict: false });
  const upload = await prepareOne(pictures, await someJpeg());
  hanging = new HangingFile(join(harness.folder, hash.slice(0, 2), `${hash}-l.jpg`));
  let open = READERS;
  const readers = Promise.all(
    Array.from({ length: READERS }, async () => {
      const { status, headers } = await harness.call(path);
      open -= 1;
      return [status, headers.get('retry-after')];
    }),
  );
  await requestPages();
  expect(open).toBeGreaterThan(0);
  expect(await readers).toEqual(Array.from({ length: READERS }, () => [503, '2']));
  await expect(pictures.store([upload])).rejects.toMatchObject({ status: 503 });
  expect((await harness.call(other.path)).status).toBe(503);
  hanging.end();
  for (;;) {
    const { status } = await harness.call(path);
    if (status === 200) break;
    expect(status).toBe(503);
  }
  await pictures.store([upload]);
});

it('503 for uploads whose disk hangs, while everything else is served', async () => {
  const picture = await showPicture(harness, await someJpeg(), false);
  const { id } = await new Factories(harness.database).aUser();
  const token = await harness.token({ userId: id });
  const upload = async (): Promise<unknown> => {
    const parts = { title: 'title', content: 'text', pids: 'p_1', image_1: await someJpeg() };
    const { status, headers } = await send(harness, token, 'POST', '/v2/notes', parts);
    return [status, headers.get('retry-after')];
  };
  expect(await upload()).toEqual([201, null]);
  const path = join(harness.folder, 'file-of-uploads');
  writeFileSync(path, '');
  hanging = new HangingFile(path);
  const { disk } = harness.app.get(SpoolFolder, { strict: false });
  const opening = disk.run(() => open(path), { discard: (file) => file.close() });
  const uploads = Promise.all(Array.from({ length: UPLOADS }, upload));
  await requestPages();
  expect((await harness.call(picture.path)).status).toBe(200);
  await expect(opening).rejects.toMatchObject({ status: 503 });
  expect(await uploads).toEqual(Array.from({ length: UPLOADS }, () => [503, '2']));
  expect(await upload()).toEqual([503, '2']);
  hanging.end();
  // The turn after that of closing the file that hung.
  await disk.runWithoutTimeout(() => Promise.resolve());
  expect(await upload()).toEqual([201, null]);
});
