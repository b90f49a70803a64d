import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addPictures } from '../../../src/images/pictures.repository';
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

  it('is 404 for a picture whose file is a folder, empty or below a file', async () => {
    const { path, hash } = await showPicture(harness, await someJpeg(), false);
    const folder = join(harness.folder, hash.slice(0, 2));
    const file = join(folder, `${hash}-l.jpg`);
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        [{}, { headers: { range: 'bytes=0-9' } }, { method: 'HEAD' }].map(
          async (init) => (await fetch(harness.origin + path, init)).status,
        ),
      );
    await rm(file);
    await mkdir(file);
    expect(await statuses()).toEqual([404, 404, 404]);
    await rm(file, { recursive: true });
    await writeFile(file, '');
    expect(await statuses()).toEqual([404, 404, 404]);
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('returns all of a picture that is longer than a chunk of the disk', async () => {
    const { path, hash } = await showPicture(harness, await someJpeg(), false);
    const bytes = Buffer.alloc(200_000, 'picture');
    await writeFile(join(harness.folder, hash.slice(0, 2), `${hash}-l.jpg`), bytes);
    const resize = `UPDATE pictures SET bytes = $2 WHERE hash = decode($1, 'hex')`;
    await harness.source.query(resize, [hash, bytes.length]);
    const whole = await fetch(harness.origin + path);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(harness.origin + path, { headers: { range: 'bytes=50000-150000' } });
    expect(part.status).toBe(206);
    const received = Buffer.from(await part.arrayBuffer());
    expect(received.equals(bytes.subarray(50_000, 150_001))).toBe(true);
  });

  it('returns the small file also after interrupted uploads of the same large file', async () => {
    const { path, small, ...picture } = await showPicture(harness, await someJpeg(), false);
    // The picture was added, and the client left before its files were stored.
    for (const smallSize of [small.length + 100, small.length + 200])
      await harness.database.transaction((executor) =>
        addPictures(executor, [{ ...picture, smallSize }]),
      );
    const response = await fetch(harness.origin + path.replace('-l.', '-s.'));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(small)).toBe(true);
  });

  it('is 416 for a range beyond the picture', async () => {
    const { path, size } = await showPicture(harness, await someJpeg(), false);
    for (const range of ['bytes=99999999-', 'bytes=-0']) {
      const { status, body, headers } = await harness.call(path, { headers: { range } });
      expect([status, body.code]).toEqual([416, 999]);
      expect(headers.get('content-range')).toBe(`bytes */${size}`);
    }
  });
});
