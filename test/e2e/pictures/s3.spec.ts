import { type Harness } from '../../harness';
import { showPicture, someJpeg, startWithPictures } from './pictures';
import { startS3, type S3Server } from './s3-server';
import { itServesPictures } from './serving';

describe('GET /pictures/u/:name of pictures in a bucket', () => {
  let s3: S3Server;
  let harness: Harness;
  beforeAll(async () => {
    s3 = await startS3();
    harness = await startWithPictures(s3.settings);
  });
  afterAll(async () => {
    await harness.close();
    await s3.close();
  });

  itServesPictures(() => harness);

  it('is 200 with the complete picture for a range beyond the picture', async () => {
    const { path, size } = await showPicture(harness, await someJpeg(), false);
    const { status, headers } = await harness.call(path, { headers: { range: 'bytes=9999999-' } });
    expect([status, headers.get('content-length')]).toEqual([200, String(size)]);
  });

  it('HEAD does not read the picture from the bucket', async () => {
    const { path } = await showPicture(harness, await someJpeg(), false);
    const before = s3.methods.length;
    expect((await harness.call(path, { method: 'HEAD' })).status).toBe(200);
    expect(s3.methods.slice(before)).toEqual(['HEAD']);
  });
});

describe('GET /pictures/u/:name while S3 is unavailable', () => {
  it('is 503 and can be retried', async () => {
    const s3 = await startS3();
    const harness = await startWithPictures(s3.settings);
    const { path } = await showPicture(harness, await someJpeg(), false);
    await s3.close();
    const { status, body, headers } = await harness.call(path);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 999, '2']);
    expect(headers.get('cache-control')).toBeNull();
    await harness.close();
  });
});
