import { readdir } from 'node:fs/promises';
import { Factories } from '../../factories/factories';
import { type TestResponse, type Harness } from '../../harness';
import { expectRefused } from '../books/writes';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { errorOf, FORBIDDEN, NO_NOTES, NOT_FOUND, send, type Parts } from './parts';

const LARGE = /^http:\/\/api\.test(\/pictures\/u\/[0-9a-f]{64}-l\.jpg)$/;

let harness: Harness & { readonly folder: string };
let token: string;
let other: string;
beforeAll(async () => {
  harness = await startWithPictures();
  const make = new Factories(harness.database);
  token = await harness.token({ userId: (await make.aUser()).id });
  other = await harness.token({ userId: (await make.aUser()).id });
});
afterAll(() => harness.close());

const WHOLE = { title: 't', content: 'text' };
const create = (parts: Parts): Promise<TestResponse> =>
  send(harness, token, 'POST', '/v2/notes', { ...WHOLE, ...parts });
const upload = (id: string, parts: Parts, by = token): Promise<TestResponse> =>
  send(harness, by, 'POST', `/v2/note/${id}`, parts);
const edit = (id: string, parts: Parts): Promise<TestResponse> =>
  send(harness, token, 'PUT', `/v2/note/${id}`, { ...WHOLE, ...parts });
const read = async (id: string, format = 'text') =>
  (await harness.call(`/v2/note/${id}?format=${format}`, { token })).body;
const pathOf = (address: string): string => address.replace('http://api.test', '');
const files = async (): Promise<number> =>
  (await readdir(harness.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;
const uses = async (): Promise<unknown> =>
  harness.source.query('SELECT count(*)::int AS n FROM picture_uses');

describe('pictures of a note', () => {
  it('201: are named by pids, and shown where the content names them, with layout and caption', async () => {
    const { status, body } = await create({
      content: '前<图片p_1>中<图片 p_2="">后',
      pids: 'p_1,p_2',
      image_1: await someJpeg(),
      image_2: await someJpeg(),
      layout_1: 'L',
      desc_1: '左"边"',
      layout_p_2: 'R',
      desc_p_2: '',
    });
    expect(status).toBe(201);
    expect(body.photos).toEqual({
      '1': expect.stringMatching(LARGE),
      '2': expect.stringMatching(LARGE),
    });
    expect(body.content).toBe('前[img=1:L]左"边"[/img]中[img=2:R][/img]后');
    expect((await read(body.id, 'html_full')).content).toBe(
      `前<figure class="left"><img src="${body.photos['1']}" alt="左&quot;边&quot;">` +
        '<figcaption>左&quot;边&quot;</figcaption></figure>中' +
        `<figure class="right"><img src="${body.photos['2']}" alt=""></figure>后`,
    );
    const picture = await harness.call(pathOf(body.photos['1']));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('are appended when the content does not name them', async () => {
    const { body } = await create({
      pids: ' p_7 , p_3,',
      image_7: await someJpeg(),
      image_3: await someJpeg(),
    });
    expect(body.content).toBe('text\n[img=7:C][/img]\n[img=3:C][/img]');
    expect(Object.keys(body.photos)).toEqual(['3', '7']);
  });

  it('202: are added to an existing note, at its end or where the new content names them', async () => {
    const { body: made } = await create({ pids: 'p_1', image_1: await someJpeg(), desc_1: 'one' });
    const more = await upload(made.id, { pids: 'p_2', image_2: await someJpeg() });
    expect(more.status).toBe(202);
    expect(more.body.content).toBe('text\n[img=1:C]one[/img]\n[img=2:C][/img]');
    const { body } = await upload(made.id, {
      pids: 'p_3',
      image_3: await someJpeg(),
      layout_3: 'R',
      content: 'new <图片p_3> and <图片p_1>',
    });
    expect(body.content).toBe('new [img=3:R][/img] and [img=1:C]one[/img]');
    expect(Object.keys(body.photos)).toEqual(['1', '2', '3']);
    expect([body.title, body.photos['1']]).toEqual(['t', made.photos['1']]);
  });

  it('stay when an edit does not name them, and keep their numbers permanently', async () => {
    const { body: made } = await create({ pids: 'p_1', image_1: await someJpeg() });
    const { body } = await edit(made.id, {
      content: 'no picture',
      pids: 'p_2',
      image_2: await someJpeg(),
    });
    expect(body.content).toBe('no picture\n[img=2:C][/img]');
    expect(body.photos).toEqual({ ...made.photos, '2': expect.stringMatching(LARGE) });
    expectRefused(await edit(made.id, { pids: 'p_1', image_1: await someJpeg() }), 400, 999);
    expectRefused(await upload(made.id, { pids: 'p_1', image_1: await someJpeg() }), 400, 999);
    expect(await read(made.id)).toEqual(body);
  });

  it('are stored once of concurrent uploads for one number', async () => {
    const { body: made } = await create({});
    const pictures = await Promise.all(Array.from({ length: 4 }, () => someJpeg()));
    const responses = await Promise.all(
      pictures.map((image_1) => upload(made.id, { pids: 'p_1', image_1 })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400]);
    const { photos, content } = await read(made.id);
    expect(Object.keys(photos)).toEqual(['1']);
    expect(content).toBe('text\n[img=1:C][/img]');
  });

  it.each(['private', 'friend'])(
    'of a %s note are served at signed addresses only',
    async (privacy) => {
      const { body: hidden } = await create({ privacy, pids: 'p_1', image_1: await someJpeg() });
      const signed = pathOf(hidden.photos['1']);
      const bare = signed.replace(/\?.*$/, '');
      expect(signed).toMatch(/\?ck=[\w-]+&e=\d+$/);
      expect((await read(hidden.id, 'html_full')).content).toContain(bare);
      expect((await harness.call(signed)).status).toBe(200);
      expectRefused(await harness.call(bare), 403, 1010);
      const { body: open } = await edit(hidden.id, {});
      const address = pathOf(open.photos['1']);
      expect(address).toMatch(/\/[0-9a-f]{64}-l\.jpg$/);
      expect((await harness.call(address)).status).toBe(200);
      expectRefused(await harness.call(bare), 403, 1010);
      const { body: closed } = await edit(hidden.id, { privacy });
      expectRefused(await harness.call(address), 404, 1001);
      expect((await harness.call(pathOf(closed.photos['1']))).status).toBe(200);
    },
  );

  it('are deleted with their note', async () => {
    const { body } = await create({ pids: 'p_1', image_1: await someJpeg() });
    await harness.call(`/v2/note/${body.id}`, { method: 'DELETE', token });
    expect((await harness.call(pathOf(body.photos['1']))).status).toBe(404);
  });

  const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]);
  it.each<[string, Parts, number]>([
    ['a text that is called a picture', { pids: 'p_1', image_1: Buffer.from('no picture') }, 1008],
    ['an empty file', { pids: 'p_1', image_1: Buffer.alloc(0) }, 1008],
    ['a truncated JPEG', { pids: 'p_1', image_1: JPEG }, 1009],
    ['3 MB', { pids: 'p_1', image_1: Buffer.alloc(3 * 1024 * 1024, 1) }, 1003],
    ['a part that is missing', { pids: 'p_1,p_2', image_1: JPEG }, 999],
    ['a picture that is text', { pids: 'p_1', image_1: 'text' }, 999],
    ['a picture that pids does not name', { pids: 'p_1', image_1: JPEG, image_2: JPEG }, 999],
    ['a picture without pids', { image_1: JPEG }, 999],
    [
      'four',
      { pids: 'p_1,p_2,p_3,p_4', image_1: JPEG, image_2: JPEG, image_3: JPEG, image_4: JPEG },
      999,
    ],
    ['one number twice', { pids: 'p_1,p_1', image_1: JPEG }, 999],
    ['the number 0', { pids: 'p_0', image_0: JPEG }, 999],
    ['a number of five digits', { pids: 'p_10000', image_10000: JPEG }, 999],
    ['another layout', { pids: 'p_1', image_1: JPEG, layout_1: 'l' }, 999],
    ['a blank content beside it', { pids: 'p_1', image_1: JPEG, content: ' ' }, 1013],
  ])('400: are rejected and not stored: %s', async (_what, parts, code) => {
    const before = [await files(), await uses()];
    expectRefused(await create(parts), 400, code);
    expect([await files(), await uses()]).toEqual(before);
  });

  it("400 1002 without pids, 403 for another user's note, 400 1006 for an unknown note: stores nothing", async () => {
    const { body } = await create({ privacy: 'public' });
    const image_1 = await someJpeg();
    const before = [await files(), await uses()];
    expectRefused(await upload(body.id, { content: 'x' }), 400, 1002);
    expectRefused(await upload(body.id, { pids: ',' }), 400, 1002);
    expect(errorOf(await upload(body.id, { pids: 'p_1', image_1 }, other))).toEqual(FORBIDDEN);
    for (const id of NO_NOTES) {
      expect(errorOf(await upload(id, { pids: 'p_1', image_1 }))).toEqual(NOT_FOUND);
    }
    expect([await files(), await uses()]).toEqual(before);
  });

  it('are part of the request that an Idempotency-Key identifies', async () => {
    const { body } = await create({});
    const image_1 = await someJpeg();
    const key = { 'Idempotency-Key': 'pictures-of-a-note' };
    const call = () =>
      send(harness, token, 'POST', `/v2/note/${body.id}`, { pids: 'p_1', image_1 }, key);
    const first = await call();
    expect(first.status).toBe(202);
    const second = await call();
    expect([second.status, second.text]).toEqual([202, first.text]);
  });
});
