import { EventEmitter, once } from 'node:events';
import { type Harness } from '../../harness';
import { Factories } from '../../factories/factories';
import { until } from '../process/programs';
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

describe('GET /pictures/u/:name of many pictures at once', () => {
  it('opens at most four for one address, and does not delay another address', async () => {
    const s3 = await startS3();
    const harness = await startWithPictures({ ...s3.settings, TRUSTED_PROXIES: '1' });
    const [held, other] = [
      await showPicture(harness, await someJpeg(), false),
      await showPicture(harness, await someJpeg(), false),
    ];
    const statusOf = async (path: string, address: string): Promise<number> =>
      (await harness.call(path, { headers: { 'x-forwarded-for': address } })).status;
    const opened = new EventEmitter();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let [open, mostOpen] = [0, 0];
    s3.beforeGet = async (key) => {
      if (!key.startsWith(held.hash)) return;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      if (open === 4) opened.emit('four');
      await released;
      open -= 1;
    };
    const four = once(opened, 'four');
    const statuses = Array.from({ length: 12 }, () => statusOf(held.path, '192.0.2.1'));
    await four;
    expect(await statusOf(other.path, '192.0.2.2')).toBe(200);
    release();
    expect(await Promise.all(statuses)).toEqual(Array(12).fill(200));
    expect(mostOpen).toBe(4);
    await harness.close();
    await s3.close();
  });
});

describe('uploads to a bucket that is slow', () => {
  it('do not wait for those of another address', async () => {
    const s3 = await startS3();
    const harness = await startWithPictures({ ...s3.settings, TRUSTED_PROXIES: '1' });
    const make = new Factories(harness.database);
    const book = await make.aBook();
    const tokens: string[] = [];
    for (let at = 0; at < 6; at += 1)
      tokens.push(await harness.token({ userId: (await make.aUser()).id }));
    const upload = async (token: string | undefined, address: string): Promise<number> => {
      const form = new FormData();
      form.append('content', 'Pictures in a slow bucket, of some length');
      form.append('page', '1');
      form.append('pic1', new Blob([new Uint8Array(await someJpeg())]), 'picture.jpg');
      const headers = { 'x-forwarded-for': address };
      const path = `/v2/book/${book}/annotations`;
      return (await harness.call(path, { method: 'POST', token, headers, body: form })).status;
    };
    let arrived = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    s3.beforePut = () => {
      arrived += 1;
      return released;
    };
    const held = tokens.slice(1).map((token) => upload(token, '10.0.0.1'));
    // Both sizes of as many pictures as one address may store at once.
    await until(() => Promise.resolve(arrived === 8));
    s3.beforePut = () => Promise.resolve();
    expect(await upload(tokens[0], '10.0.0.2')).toBe(201);
    release();
    expect(new Set(await Promise.all(held))).toEqual(new Set([201]));
    await harness.close();
    await s3.close();
  });
});
