import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { type QueueRow } from '../../../src/moderation/queue-entry';
import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectRefused, writer, type Writer } from '../books/writes';
import { ban } from './words';

const TEXT = 'A fine book about the moon.';
const LONG = '很'.repeat(151);

let harness: Harness;
let make: Factories;
let queue: ModerationQueueService;
let author: Writer;
let reader: Writer;
let book: number;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  queue = harness.app.get(ModerationQueueService, { strict: false });
  reader = await writer(harness, (await make.aUser()).id);
  await ban(harness, 'hold', '云间', 'moon juice');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
  book = await make.aBook({ tags: [{ count: 3, name: '小说' }] });
});
afterAll(() => harness.close());

const open = async (): Promise<QueueRow> => {
  const { items } = await queue.list({ start: 0, count: 100 });
  const mine = items.filter(({ user_id }) => user_id === author.id);
  expect(mine).toHaveLength(1);
  return mine[0] as QueueRow;
};
const noneOpen = async (): Promise<void> => {
  const { items } = await queue.list({ start: 0, count: 100 });
  expect(items.filter(({ user_id }) => user_id === author.id)).toEqual([]);
};
const total = async (path: string, by: Writer): Promise<number> => (await by.get(path)).body.total;

describe('a collection with a word that requires review', () => {
  const path = () => `/v2/book/${book}/collection`;
  const fields = { status: 'read', rating: 5, tags: '云间 小说', comment: 'fine' };
  const own = () => `${path()}?user_id=${author.id}`;
  const list = () => `/v2/book/user/${author.id}/collections`;
  const tagsOfUser = () => `/v2/book/user/${author.id}/tags`;
  const bookNow = async () => (await harness.call(`/v2/book/${book}`)).body;

  it('201: is created, and visible to its author only', async () => {
    const { status, body } = await author.post(path(), fields);
    expect([status, body.comment, body.tags]).toEqual([201, 'fine', ['云间', '小说']]);
    expect((await author.get(own())).body).toEqual(body);
    expectRefused(await reader.get(own()), 404, 1001);
    expectRefused(await harness.call(own()), 404, 1001);
    for (const place of [list(), tagsOfUser()]) {
      expect(await total(place, author)).toBeGreaterThan(0);
      expect(await total(place, reader)).toBe(0);
    }
  });

  it('counts with its rating but not with its tags, like a private one', async () => {
    await author.post(path(), fields);
    expect(await bookNow()).toMatchObject({
      rating: { numRaters: 1, average: '10.0' },
      tags: [{ count: 3, name: '小说' }],
    });
    await author.remove(path());
    expect(await bookNow()).toMatchObject({
      rating: { numRaters: 0 },
      tags: [{ count: 3, name: '小说' }],
    });
  });

  it('becomes visible, and its tags count, when a moderator releases it', async () => {
    await author.post(path(), fields);
    const { id, kind, words, excerpt } = await open();
    expect({ kind, words, excerpt }).toEqual({
      kind: 'collection',
      words: ['云间'],
      excerpt: 'tags: 云间 小说',
    });
    expect(await queue.release(id, 'mo')).toMatchObject({ state: 'released', decided_by: 'mo' });
    expect((await reader.get(own())).body.comment).toBe('fine');
    expect(await total(list(), reader)).toBe(1);
    expect((await bookNow()).tags).toEqual([
      { count: 4, name: '小说' },
      { count: 1, name: '云间' },
    ]);
    await expect(queue.release(id, 'mo')).rejects.toThrow('decided');
    expect((await bookNow()).tags[0].count).toBe(4);
    await noneOpen();
  });

  it('stays private after its release if its author chose that', async () => {
    await author.post(path(), { ...fields, privacy: 'private' });
    await queue.release((await open()).id, 'mo');
    expectRefused(await reader.get(own()), 404, 1001);
    expect((await bookNow()).tags).toEqual([{ count: 3, name: '小说' }]);
  });

  it('leaves the queue when it is deleted', async () => {
    await author.post(path(), fields);
    const { id } = await open();
    expect((await author.remove(path())).status).toBe(204);
    await noneOpen();
    await expect(queue.release(id, 'mo')).rejects.toThrow('changed');
    expect((await author.post(path(), { ...fields, tags: '小说' })).status).toBe(201);
    expect((await reader.get(own())).status).toBe(200);
  });

  it('is created and queued once by a retry with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `held-${book}` };
    const [one, other] = [
      await author.post(path(), fields, headers),
      await author.post(path(), fields, headers),
    ];
    expect([one.status, other.status]).toEqual([201, 201]);
    await open();
  });
});

describe('an annotation with a word that requires review', () => {
  const fields = { content: `${TEXT} Moon  juice!`, page: 3 };
  const add = async (more = {}): Promise<string> => {
    const response = await author.post(`/v2/book/${book}/annotations`, { ...fields, ...more });
    expect(response.status).toBe(201);
    return `/v2/book/annotation/${response.body.id}`;
  };
  const lists = () => [`/v2/book/user/${author.id}/annotations`, `/v2/book/${book}/annotations`];

  it('is visible to its author only: 1001 for others, in no list and no total', async () => {
    const path = await add();
    expect((await author.get(path)).body).toMatchObject({ content: fields.content, privacy: 2 });
    expectRefused(await reader.get(path), 404, 1001);
    expectRefused(await reader.put(path, { ...fields, content: TEXT }), 404, 1001);
    expectRefused(await reader.remove(path), 404, 1001);
    for (const list of lists()) expect(await total(list, reader)).toBe(0);
    expect(await total(lists()[0] as string, author)).toBe(1);
  });

  it('becomes visible when it is released', async () => {
    const path = await add();
    await queue.release((await open()).id, 'mo');
    expect((await reader.get(path)).status).toBe(200);
    for (const list of lists()) expect(await total(list, reader)).toBe(1);
  });

  it('is queued again when it is edited, after any decision', async () => {
    const path = await add();
    await queue.release((await open()).id, 'mo');
    expect((await author.put(path, { ...fields, content: `${fields.content} More.` })).status).toBe(
      202,
    );
    expectRefused(await reader.get(path), 404, 1001);
    expect((await open()).excerpt).toBe(`content: ${fields.content} More.`);
  });

  it('leaves the queue when its author removes the word', async () => {
    const path = await add();
    const { id } = await open();
    await author.put(path, { ...fields, content: TEXT });
    expect((await reader.get(path)).status).toBe(200);
    await noneOpen();
    await expect(queue.reject(id, 'mo')).rejects.toThrow('changed');
  });

  it('cannot be released with the version of an earlier text', async () => {
    const path = await add();
    const { id } = await open();
    await author.put(path, { ...fields, content: `${fields.content} Worse.` });
    await expect(queue.release(id, 'mo')).rejects.toThrow('changed');
    expectRefused(await reader.get(path), 404, 1001);
    expect((await open()).id).not.toBe(id);
  });

  it('stays hidden when it is rejected, and its later versions are queued', async () => {
    const path = await add();
    await queue.reject((await open()).id, 'mo');
    await noneOpen();
    expectRefused(await reader.get(path), 404, 1001);
    expect((await author.get(path)).status).toBe(200);
    for (const content of [TEXT, `${TEXT} It is.`]) {
      expect((await author.put(path, { ...fields, content })).status).toBe(202);
      expectRefused(await reader.get(path), 404, 1001);
    }
    expect(await open()).toMatchObject({ words: ['moon juice'] });
    await queue.release((await open()).id, 'mo');
    expect((await reader.get(path)).status).toBe(200);
    expect((await author.put(path, { ...fields, content: TEXT })).status).toBe(202);
    expect((await reader.get(path)).status).toBe(200);
  });

  it('can be released after it was rejected', async () => {
    const path = await add();
    const { id } = await open();
    await queue.reject(id, 'mo');
    await expect(queue.reject(id, 'mo')).rejects.toThrow('decided');
    await queue.release(id, 'mo');
    expect((await reader.get(path)).status).toBe(200);
  });
});

describe('a review with a word that requires review', () => {
  it('is created and queued; its edit is queued again', async () => {
    const fields = { title: '云 间', content: LONG };
    const made = await author.post('/v2/book/reviews', { book, ...fields });
    expect([made.status, made.body.title]).toEqual([201, '云 间']);
    const path = `/v2/book/review/${made.body.id}`;
    const isHeld = async (): Promise<boolean> => {
      const [row] = await harness.source.query<{ hidden: boolean }[]>(
        'SELECT hidden FROM reviews WHERE id = $1',
        [made.body.id],
      );
      return row?.hidden === true;
    };
    expect(await isHeld()).toBe(true);
    await queue.release((await open()).id, 'mo');
    expect(await isHeld()).toBe(false);
    expect((await author.put(path, fields)).status).toBe(202);
    expect(await isHeld()).toBe(true);
    expectRefused(await reader.put(path, fields), 404, 6006);
    expect((await author.put(path, { ...fields, title: 'On it' })).status).toBe(202);
    expect(await isHeld()).toBe(false);
    await noneOpen();
  });
});

it('an unknown queue entry cannot be decided', async () => {
  await expect(queue.release(4711, 'mo')).rejects.toThrow('text not found in the moderation queue');
  await expect(queue.reject(4711, 'mo')).rejects.toThrow('text not found in the moderation queue');
});
