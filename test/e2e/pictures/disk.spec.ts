import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Harness } from '../../harness';
import { showPicture, someJpeg, startWithPictures } from './pictures';
import { itServesPictures } from './serving';

describe('GET /pictures/u/:name of pictures on disk', () => {
  let harness: Harness & { readonly folder: string };
  beforeAll(async () => {
    harness = await startWithPictures();
  });
  afterAll(() => harness.close());

  itServesPictures(() => harness);

  it('is 404 for a picture whose file is missing', async () => {
    const { path, hash } = await showPicture(harness, await someJpeg(), false);
    await rm(join(harness.folder, hash.slice(0, 2)), { recursive: true });
    const { status, body, headers } = await harness.call(path);
    expect([status, body.code]).toEqual([404, 1001]);
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, null]);
  });

  it('is 416 for a range beyond the picture', async () => {
    const { path } = await showPicture(harness, await someJpeg(), false);
    const { status, body } = await harness.call(path, { headers: { range: 'bytes=99999999-' } });
    expect([status, body.code]).toEqual([416, 999]);
  });
});
