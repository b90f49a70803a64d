import { createHmac } from 'node:crypto';
import { PathSigner } from '../../../src/api/resources/resource';
import { removeUses, setPrivate } from '../../../src/images/pictures.repository';
import { Factories } from '../../factories/factories';
import { type Harness } from '../../harness';
import { BASE_URL } from '../../settings';
import { showPicture, someJpeg, startWithPictures } from './pictures';

const SECRET = 'a secret that only this test and its service know';
const LIFETIME = 600;

let harness: Harness;
beforeAll(async () => {
  const settings = { PICTURES_SECRET: SECRET, PICTURES_SIGNED_SECONDS: String(LIFETIME) };
  harness = await startWithPictures(settings);
});
afterAll(() => harness.close());

const now = () => Math.floor(Date.now() / 1000);
const macOf = (path: string, expires: number | string, secret = SECRET): string =>
  createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url');
const signed = (path: string, expires: number | string, ck = macOf(path, expires)): string =>
  `${path}?ck=${ck}&e=${expires}`;

/** A picture that something private shows: `path` is that of this use. */
async function aPrivate(bytes?: Buffer, on = harness) {
  const shown = await showPicture(on, bytes ?? (await someJpeg()), true);
  return { ...shown, file: shown.path, path: `/pictures/u/annotation-${shown.subjectId}-1-l.jpg` };
}

async function expectRefusal(address: string, code: number, msg: string): Promise<void> {
  const { status, body, headers } = await harness.call(address);
  const [path] = address.split('?');
  expect([status, body]).toEqual([403, { msg, code, request: `GET ${path}` }]);
  expect(headers.get('cache-control')).toBeNull();
}

describe('a private picture', () => {
  it('is served at its signed address, and must not be cached by others', async () => {
    const { path, size } = await aPrivate();
    const { status, headers } = await harness.call(signed(path, now() + 100));
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(size));
    expect(headers.get('cache-control')).toMatch(/^private, max-age=(100|99|9\d)$/);
  });

  it('is not served without a signature: 1010', async () => {
    const { path } = await aPrivate();
    for (const query of ['', '?', '?ck=', `?e=${now() + 100}`, `?ck=${macOf(path, '')}`]) {
      await expectRefusal(path + query, 1010, 'image_wrong_ck');
    }
  });

  it('is not served with a wrong signature: 1010', async () => {
    const { path } = await aPrivate();
    const other = await aPrivate();
    const e = now() + 100;
    const right = macOf(path, e);
    const wrong = [
      signed(path, e, `${right}A`),
      signed(path, e, right.slice(0, -1)),
      signed(path, e, right.toLowerCase()),
      signed(path, e, macOf(path, e, 'the secret of somebody else altogether')),
      // Of another picture, of the other size, of another time.
      signed(path, e, macOf(other.path, e)),
      signed(path.replace('-l.', '-s.'), e, right),
      signed(path, e + 1, right),
      signed(path, `${e}0`, right),
      signed(path, `0${e}`, right),
      `${signed(path, e)}&e=${e}`,
      `${signed(path, e)}&ck=${right}`,
      signed(path, e, encodeURIComponent('钥匙')),
    ];
    for (const address of wrong) await expectRefusal(address, 1010, 'image_wrong_ck');
    expect((await harness.call(signed(path, e))).status).toBe(200);
  });

  it('is not served with an expired signature: 1011', async () => {
    const { path } = await aPrivate();
    for (const e of [now(), now() - 1, 1, 0]) {
      await expectRefusal(signed(path, e), 1011, 'image_ck_expired');
    }
    // A wrong signature does not reveal whether the address has expired.
    await expectRefusal(signed(path, 1, macOf(path, 2)), 1010, 'image_wrong_ck');
  });

  it('is not served unsigned while another user shows the same bytes publicly', async () => {
    const jpeg = await someJpeg();
    const { path, file } = await aPrivate(jpeg);
    const open = await showPicture(harness, jpeg, false, 'note');
    expect(open.path).toBe(file);
    expect((await harness.call(file)).status).toBe(200);
    await expectRefusal(path, 1010, 'image_wrong_ck');
    expect((await harness.call(signed(path, now() + 100))).status).toBe(200);
  });

  it('is not revealed to users who upload the same bytes', async () => {
    const { file, subjectId } = await aPrivate();
    const nobodys = file.replace(/[0-9a-f]{64}/, 'a'.repeat(64));
    const responseTo = async (address: string) => {
      const { status, body, headers } = await harness.call(address);
      const names = [...headers.keys()].filter((name) => !/^(date|x-request-id)$/.test(name));
      return [status, body.code, names];
    };
    for (const query of ['', `?ck=x&e=${now() + 100}`]) {
      expect(await responseTo(file + query)).toEqual(await responseTo(nobodys + query));
      expect((await responseTo(file + query))[0]).toBe(404);
    }
    // Nor does who can count learn which annotations have one.
    const address = `/pictures/u/annotation-${subjectId}-1-l.jpg`;
    for (const other of [
      address.replace(String(subjectId), '999999999'),
      address.replace('-1-l', '-2-l'),
      address.replace('annotation', 'note'),
      address.replace('.jpg', '.png'),
    ]) {
      await expectRefusal(other, 1010, 'image_wrong_ck');
    }
  });

  it('is 404 at its signed address when the use is deleted', async () => {
    const { path, subjectId } = await aPrivate();
    const address = signed(path, now() + 100);
    expect((await harness.call(address)).status).toBe(200);
    await removeUses(harness.database, 'annotation', subjectId, null);
    expect((await harness.call(address)).status).toBe(404);
  });

  it('keeps its signed address while it becomes public and private again', async () => {
    const { path, file, subjectId } = await aPrivate();
    const address = signed(path, now() + 100);
    for (const isPrivate of [false, true, false]) {
      await setPrivate(harness.database, 'annotation', subjectId, isPrivate);
      expect((await harness.call(address)).status).toBe(200);
      expect((await harness.call(file)).status).toBe(isPrivate ? 404 : 200);
      // The address of a private use never opens unsigned.
      expect((await harness.call(path)).status).toBe(403);
    }
  });

  it.each([
    'annotation-0-1-l.jpg',
    'annotation-1-0-l.jpg',
    'annotation-01-1-l.jpg',
    'annotation-1-01-l.jpg',
    'annotation-1-1-m.jpg',
    'annotation-1-1-l.gif',
    'review-1-1-l.jpg',
    `annotation-${'9'.repeat(30)}-1-l.jpg`,
    'annotation-1-1-l.jpg%0a',
  ])('is 404 at an address like %s', async (name) => {
    const path = `/pictures/u/${name}`;
    const { status, body } = await harness.call(signed(path, now() + 100));
    expect([status, body.code]).toEqual([404, 1001]);
  });
});

describe('signed addresses', () => {
  const sign = (path: string, id: number, number = 1) =>
    harness.app
      .get(PathSigner, { strict: false })
      .sign(path, { subject: 'annotation', id, number });

  it('are valid for between three quarters of the lifetime and all of it', async () => {
    const { path, file, subjectId } = await aPrivate();
    const address = sign(file, subjectId);
    const expires = Number(new URLSearchParams(address.split('?')[1]).get('e'));
    expect(address).toBe(signed(path, expires));
    expect(expires - now()).toBeGreaterThanOrEqual((LIFETIME * 3) / 4 - 1);
    expect(expires - now()).toBeLessThanOrEqual(LIFETIME);
    // The same for a while: otherwise no cache would ever have it.
    expect(expires % (LIFETIME / 4)).toBe(0);
    expect((await harness.call(address)).status).toBe(200);
  });

  it.each([
    'https://img.example/pictures/u/1.jpg',
    '/pictures/sample/books/1-l.jpg',
    '/pictures/u/1.jpg',
    '',
  ])('are only those of own pictures: %s', (path) => {
    expect(sign(path, 1)).toBe(path);
  });

  it('appear wherever a private annotation shows its pictures, and nowhere else', async () => {
    const make = new Factories(harness.database);
    const { file: path } = await aPrivate();
    const { id: author_id } = await make.aUser();
    const foreign = 'https://img.example/2.jpg';
    const wire = { author_id, photos: { 1: path, 2: foreign }, content: '看<图片1>和<图片2>' };
    const hidden = await make.anAnnotation({ ...wire, privacy: 1 });
    const open = await make.anAnnotation({ ...wire, privacy: 2 });
    const token = await harness.token({ userId: author_id });
    const read = async (id: number, format: string) =>
      (await harness.call(`/v2/book/annotation/${id}?format=${format}`, { token })).body;

    const { photos, abstract_photo } = await read(hidden.id, 'text');
    expect(photos).toEqual({ 1: BASE_URL + sign(path, hidden.id), 2: foreign });
    expect(abstract_photo).toBe(photos['1']);
    const { content } = await read(hidden.id, 'html');
    expect(content).toContain(`<img src="${photos['1'].replace('&', '&amp;')}" alt="">`);
    expect(content).toContain(`<img src="${foreign}" alt="">`);
    expect((await harness.call(photos['1'].slice(BASE_URL.length))).status).toBe(200);

    const shown = await read(open.id, 'html');
    // The public use has the address of the content, as before.
    expect(shown.photos).toEqual({ 1: BASE_URL + path, 2: foreign });
    expect(shown.abstract_photo).toBe(BASE_URL + path);
    expect(shown.content).toContain(`<img src="${BASE_URL + path}" alt="">`);
  });
});

describe('a signed address where HTTPS is required', () => {
  it('is rejected over plain HTTP, also with a correct signature: 400, code 100', async () => {
    const strict = await startWithPictures({
      PICTURES_SECRET: SECRET,
      REQUIRE_HTTPS: 'true',
      TRUSTED_PROXIES: '1',
    });
    const [hidden, open] = [
      await aPrivate(undefined, strict),
      await showPicture(strict, await someJpeg(), false),
    ];
    const address = signed(hidden.path, now() + 100);
    const { status, body } = await strict.call(address);
    expect([status, body.code]).toEqual([400, 100]);
    const headers = { 'x-forwarded-proto': 'https' };
    expect((await strict.call(address, { headers })).status).toBe(200);
    expect((await strict.call(open.path)).status).toBe(200);
    await strict.close();
  });
});

describe('the signing secret', () => {
  it('is shared by all processes of a database when none is set', async () => {
    const own = await startWithPictures();
    const rows: { value: string }[] = await own.source.query(
      "SELECT value FROM secrets WHERE name = 'pictures'",
    );
    expect(rows).toEqual([{ value: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    const { path } = await aPrivate(undefined, own);
    const e = now() + 100;
    const ck = macOf(path, e, rows[0]?.value);
    expect((await own.call(signed(path, e, ck))).status).toBe(200);
    await own.close();
  });
});
