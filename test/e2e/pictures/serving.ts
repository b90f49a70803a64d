import sharp from 'sharp';
import { PictureStorage } from '../../../src/images/picture-storage';
import { removeUses, setPrivate } from '../../../src/images/pictures.repository';
import { type Harness } from '../../harness';
import { showPicture, someJpeg } from './pictures';

/** Tests the responses of public pictures, for every storage. */
export function itServesPictures(harnessOf: () => Harness): void {
  const path = async (isPrivate = false): Promise<string> =>
    (await showPicture(harnessOf(), await someJpeg(), isPrivate)).path;
  const raw = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(harnessOf().origin + address, { headers, method });

  describe('200', () => {
    it('returns the picture, large and small, cacheable for a year and by any page', async () => {
      const picture = await showPicture(harnessOf(), await someJpeg(), false);
      const [large, small] = await Promise.all([
        raw(picture.path),
        raw(picture.path.replace('-l.', '-s.')),
      ]);
      expect(Buffer.from(await large.arrayBuffer())).toEqual(picture.large);
      expect(Buffer.from(await small.arrayBuffer())).toEqual(picture.small);
      for (const { headers } of [large, small]) {
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-type': 'image/jpeg',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'cross-origin',
          'access-control-allow-origin': '*',
          'accept-ranges': 'bytes',
        });
      }
      expect(large.headers.get('content-length')).toBe(String(picture.size));
      expect(large.headers.get('etag')).not.toBe(small.headers.get('etag'));
    });

    it('a small file of unknown size is cacheable for an hour, and is stored with its size again', async () => {
      const jpeg = await someJpeg();
      const { path: large, hash } = await showPicture(harnessOf(), jpeg, false);
      const small = large.replace('-l.', '-s.');
      const cached = async () => (await raw(small)).headers.get('cache-control');
      const unknown = `UPDATE pictures SET small_bytes = NULL WHERE hash = decode($1, 'hex')`;
      await harnessOf().source.query(unknown, [hash]);
      expect(await cached()).toBe('public, max-age=3600');
      await showPicture(harnessOf(), jpeg, false);
      expect(await cached()).toBe('public, max-age=31536000, immutable');
    });

    it('returns a PNG with its own type', async () => {
      const png = await sharp(await someJpeg())
        .png()
        .toBuffer();
      const picture = await showPicture(harnessOf(), png, false);
      const response = await raw(picture.path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    });

    it('responds to HEAD without the picture, and ignores a range', async () => {
      const picture = await showPicture(harnessOf(), await someJpeg(), false);
      for (const range of ['none', 'bytes=0-4', 'bytes=99999999-']) {
        const response = await raw(picture.path, { range }, 'HEAD');
        expect(response.status).toBe(200);
        expect(response.headers.get('content-length')).toBe(String(picture.size));
        expect(response.headers.get('content-range')).toBeNull();
        expect(await response.text()).toBe('');
      }
    });

    it('runs one statement', async () => {
      const address = await path();
      const seen: string[] = [];
      harnessOf().database.onStatement = (name) => seen.push(name);
      await raw(address);
      harnessOf().database.onStatement = undefined;
      expect(seen).toEqual(['pictures.public']);
    });
  });

  describe('503', () => {
    it.each([
      ['large', '-l.'],
      ['small', '-s.'],
    ])('is returned for a %s file of another size, not cacheable', async (_size, suffix) => {
      const picture = await showPicture(harnessOf(), await someJpeg(), false);
      const address = picture.path.replace('-l.', suffix);
      const storage = harnessOf().app.get(PictureStorage, { strict: false });
      await storage.put(address.split('/').at(-1) ?? '', picture.large.subarray(0, 10), true);
      for (const range of ['none', 'bytes=0-4', 'bytes=10-', 'bytes=99999999-']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await raw(address, { range }, method);
          expect(response.status).toBe(503);
          for (const field of ['cache-control', 'etag', 'content-range'])
            expect(response.headers.get(field)).toBeNull();
        }
      }
    });
  });

  describe('206', () => {
    it('returns a range of the picture', async () => {
      const { path: address, large } = await showPicture(harnessOf(), await someJpeg(), false);
      const part = await raw(address, { range: 'bytes=10-29' });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes 10-29/${large.length}`);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(large.subarray(10, 30));
      const rest = await raw(address, { range: `bytes=${large.length - 5}-` });
      expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([
        206,
        large.subarray(-5),
      ]);
      const last = await raw(address, { range: 'bytes=-7' });
      expect(last.headers.get('content-range')).toBe(
        `bytes ${large.length - 7}-${large.length - 1}/${large.length}`,
      );
      expect(Buffer.from(await last.arrayBuffer())).toEqual(large.subarray(-7));
    });

    it('requires If-Range to match the picture', async () => {
      const address = await path();
      const etag = (await raw(address)).headers.get('etag') ?? '';
      const range = { range: 'bytes=0-9' };
      expect((await raw(address, { ...range, 'if-range': etag })).status).toBe(206);
      expect((await raw(address, { ...range, 'if-range': '"another"' })).status).toBe(200);
    });
  });

  describe('304', () => {
    it('is returned for a matching If-None-Match', async () => {
      const address = await path();
      const etag = (await raw(address)).headers.get('etag') ?? '';
      // Without cache headers, `fetch` adds its own, which refuse cached responses.
      const caches = { 'cache-control': 'max-age=0' };
      const response = await raw(address, { ...caches, 'if-none-match': `"other", ${etag}` });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect((await raw(address, { ...caches, 'if-none-match': '"other"' })).status).toBe(200);
    });
  });

  describe('404', () => {
    const gone = async (address: string): Promise<void> => {
      const { status, body, headers } = await harnessOf().call(address);
      expect([status, body]).toEqual([
        404,
        { msg: 'uri_not_found', code: 1001, request: `GET ${address}` },
      ]);
      for (const name of ['etag', 'cache-control']) expect(headers.get(name)).toBeNull();
    };

    it('is returned for unknown pictures and invalid names', async () => {
      const hash = 'a'.repeat(64);
      for (const name of [
        `${hash}-l.jpg`,
        `${hash}-m.jpg`,
        `${hash}-l.gif`,
        hash,
        'x',
        '..%2F..%2Fetc%2Fpasswd',
        `${hash}-l.jpg%00`,
      ]) {
        await gone(`/pictures/u/${name}`);
      }
    });

    it('is returned for a picture with private uses only, until one is public', async () => {
      const { path: address, subjectId } = await showPicture(harnessOf(), await someJpeg(), false);
      await setPrivate(harnessOf().database, 'annotation', subjectId, true);
      await gone(address);
      await setPrivate(harnessOf().database, 'annotation', subjectId, false);
      expect((await raw(address)).status).toBe(200);
    });

    it('is returned for a picture under another extension', async () => {
      await gone((await path()).replace('.jpg', '.png'));
    });

    it('is returned for a picture without a use', async () => {
      const { path: address, subjectId } = await showPicture(harnessOf(), await someJpeg(), false);
      expect((await raw(address)).status).toBe(200);
      await removeUses(harnessOf().database, 'annotation', subjectId, null);
      await gone(address);
    });
  });
}
