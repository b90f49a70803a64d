import { readdir } from 'node:fs/promises';
import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { Factories } from '../../factories/factories';
import { type TestResponse, type Harness } from '../../harness';
import { ban } from '../moderation/words';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { expectRefused } from './writes';

const CONTENT = '书里夹着一张照片：<图片 n="1"> 就是这张';
const LARGE = /^http:\/\/api\.test(\/pictures\/u\/[0-9a-f]{64}-l\.jpg)$/;

let harness: Harness & { readonly folder: string };
let make: Factories;
let token: string;
let other: string;
let path: string;
beforeAll(async () => {
  harness = await startWithPictures();
  make = new Factories(harness.database);
  token = await harness.token({ userId: (await make.aUser()).id });
  other = await harness.token({ userId: (await make.aUser()).id });
  path = `/v2/book/${await make.aBook()}/annotations`;
});
afterAll(() => harness.close());

type Parts = Record<string, string | Buffer>;

function send(to: string, method: string, parts: Parts, by = token): Promise<TestResponse> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ content: CONTENT, page: '3', ...parts })) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([Buffer.from(value)]), 'whatever.txt');
  }
  return harness.call(to, { method, token: by, body });
}
const post = (parts: Parts) => send(path, 'POST', parts);
const put = (id: string, parts: Parts) => send(`/v2/book/annotation/${id}`, 'PUT', parts);

const pathOf = (address: string): string => address.replace('http://api.test', '');
const files = async (): Promise<number> =>
  (await readdir(harness.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;
const rows = async (table: string): Promise<number> =>
  (await harness.source.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ??
  -1;

describe('pictures of an annotation', () => {
  it('have a number, with or without pic, and are shown where the content names it', async () => {
    const parts = { '1': await someJpeg(), pic3: await someJpeg() };
    const { status, body } = await post(parts);
    expect(status).toBe(201);
    expect(body.photos).toEqual({
      '1': expect.stringMatching(LARGE),
      '3': expect.stringMatching(LARGE),
    });
    expect(body).toMatchObject({ last_photo: 3, abstract_photo: body.photos['1'] });
    const html = await harness.call(`/v2/book/annotation/${body.id}?format=html`);
    expect(html.body.content).toContain(`<img src="${body.photos['1']}" alt="">`);
    const picture = await harness.call(pathOf(body.photos['1']));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('remain after a PUT that adds others', async () => {
    const { body: first } = await post({ '1': await someJpeg() });
    const plain = 'nothing is shown here any more';
    const { status, body } = await put(first.id, { content: plain, '2': await someJpeg() });
    expect(status).toBe(202);
    expect(body.photos).toEqual({ ...first.photos, '2': expect.stringMatching(LARGE) });
    expect(body.last_photo).toBe(2);
    expect((await harness.call(pathOf(first.photos['1']))).status).toBe(200);
  });

  it('are never replaced: a number in use is rejected, and nothing changes', async () => {
    const { body: first } = await post({ '1': await someJpeg() });
    expectRefused(
      await put(first.id, { content: 'x'.repeat(20), '1': await someJpeg() }),
      400,
      999,
    );
    const { body } = await harness.call(`/v2/book/annotation/${first.id}`);
    expect(body).toEqual(first);
  });

  it('concurrent uploads of the same number store one picture', async () => {
    const { body: first } = await post({});
    const pictures = await Promise.all(Array.from({ length: 5 }, () => someJpeg()));
    const responses = await Promise.all(pictures.map((picture) => put(first.id, { '1': picture })));
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400, 400]);
    const { body } = await harness.call(`/v2/book/annotation/${first.id}`);
    expect(Object.keys(body.photos)).toEqual(['1']);
    expect((await harness.call(pathOf(body.photos['1']))).status).toBe(200);
  });

  it('of a private annotation require signed addresses (1010), also after changes of privacy', async () => {
    const { body: hidden } = await post({ '1': await someJpeg(), privacy: 'private' });
    const signed = pathOf(hidden.photos['1']);
    const bare = signed.replace(/\?.*$/, '');
    expect(signed).toMatch(/\?ck=[\w-]+&e=\d+$/);
    expect((await harness.call(signed)).status).toBe(200);
    expectRefused(await harness.call(bare), 403, 1010);

    const { body: open } = await put(hidden.id, { privacy: 'public' });
    // A public picture has another URL. The signed one never works without its signature.
    const address = pathOf(open.photos['1']);
    expect(address).toMatch(/\/[0-9a-f]{64}-l\.jpg$/);
    expect((await harness.call(address)).status).toBe(200);
    expectRefused(await harness.call(bare), 403, 1010);

    const { body: closed } = await put(hidden.id, { privacy: 'private' });
    expectRefused(await harness.call(address), 404, 1001);
    expect((await harness.call(pathOf(closed.photos['1']))).status).toBe(200);
  });

  it('of an annotation in the review queue require signed addresses (1010) until it is released', async () => {
    await ban(harness, 'hold', '云间');
    const { body } = await post({ '1': await someJpeg(), content: `云间 ${CONTENT}` });
    const signed = pathOf(body.photos['1']);
    const bare = signed.replace(/\?.*$/, '');
    expect(signed).not.toBe(bare);
    expect((await harness.call(signed)).status).toBe(200);
    expectRefused(await harness.call(bare), 403, 1010);
    const queue = harness.app.get(ModerationQueueService, { strict: false });
    const { items } = await queue.list({ start: 0, count: 10 });
    await queue.release(items[0]?.id ?? 0, 'mo');
    const { body: released } = await harness.call(`/v2/book/annotation/${body.id}`);
    const address = pathOf(released.photos['1']);
    expect(address).not.toContain('?');
    expect((await harness.call(address)).status).toBe(200);
  });

  it('are deleted with their annotation', async () => {
    const { body } = await post({ '1': await someJpeg() });
    const single = `/v2/book/annotation/${body.id}`;
    expect((await harness.call(single, { method: 'DELETE', token })).status).toBe(204);
    const { status } = await harness.call(pathOf(body.photos['1']));
    expect(status).toBe(404);
  });

  it.each<[string, Parts, number]>([
    ['a text that is called a picture', { '1': Buffer.from('not a picture at all') }, 1008],
    ['a truncated JPEG', { '1': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]) }, 1009],
    ['the number 0', { pic0: Buffer.from('x') }, 999],
    ['a number of five digits', { '10000': Buffer.from('x') }, 999],
    ['3 MB', { '1': Buffer.alloc(3 * 1024 * 1024, 1) }, 1003],
    ['a short content beside it', { content: 'short' }, 1005],
  ])('are rejected, and nothing is stored: %s', async (_what, parts, code) => {
    const before = [await rows('annotations'), await rows('picture_uses')];
    const good: Parts = code === 1005 ? { '1': await someJpeg() } : { '2': await someJpeg() };
    const stored = await files();
    expectRefused(await post({ ...good, ...parts }), 400, code);
    expect([await rows('annotations'), await rows('picture_uses')]).toEqual(before);
    expect(await files()).toBe(stored);
  });

  it('of callers without permission are not read', async () => {
    const { body } = await post({});
    const stored = await files();
    const single = `/v2/book/annotation/${body.id}`;
    expectRefused(await send(single, 'PUT', { '1': await someJpeg() }, other), 403, 6002);
    expectRefused(
      await send('/v2/book/1/annotations', 'POST', { '1': await someJpeg() }),
      404,
      6000,
    );
    expect(await files()).toBe(stored);
  });

  it('are compared when a request repeats an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'with pictures'.replace(' ', '-') };
    const call = (picture: Buffer) => {
      const body = new FormData();
      body.append('content', CONTENT);
      body.append('page', '1');
      body.append('1', new Blob([Buffer.from(picture)]), 'p.jpg');
      return harness.call(path, { method: 'POST', token, body, headers: key });
    };
    const picture = await someJpeg();
    const first = await call(picture);
    expect(first.status).toBe(201);
    expect((await call(picture)).text).toBe(first.text);
    expectRefused(await call(await someJpeg()), 422, 999);
  });
});
