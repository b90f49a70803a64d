import { ModerationQueueService } from '../../../src/moderation/moderation-queue.service';
import { type QueueRow } from '../../../src/moderation/queue-entry';
import { Factories } from '../../factories/factories';
import { type TestResponse, type Harness } from '../../harness';
import { expectRefused, writer, type Writer } from '../books/writes';
import { errorOf, FORBIDDEN, NOT_FOUND, send, type Parts } from '../notes/parts';
import { someJpeg, startWithPictures } from '../pictures/pictures';
import { ban } from './words';

const CLEAN = { title: 'A day', content: 'It rained.' };
const QUEUED_NOTE = { title: 'A day', content: 'Moon  juice!' };

let harness: Harness;
let make: Factories;
let queue: ModerationQueueService;
let author: Writer;
let friend: Writer;
let reader: Writer;
let token: string;
let image: Buffer;
beforeAll(async () => {
  harness = await startWithPictures();
  make = new Factories(harness.database);
  queue = harness.app.get(ModerationQueueService, { strict: false });
  friend = await writer(harness, (await make.aUser()).id);
  reader = await writer(harness, (await make.aUser()).id);
  image = await someJpeg();
  await ban(harness, 'hold', '云间', 'moon juice');
});
beforeEach(async () => {
  author = await writer(harness, (await make.aUser()).id);
  token = await harness.token({ userId: author.id });
  await make.friends(author.id, friend.id);
});
afterAll(() => harness.close());

const openOf = async ({ id }: Writer): Promise<QueueRow[]> => {
  const { items } = await queue.list({ start: 0, count: 100 });
  return items.filter(({ user_id }) => user_id === id);
};
const open = async (by = author): Promise<QueueRow> => {
  const mine = await openOf(by);
  expect(mine).toHaveLength(1);
  return mine[0] as QueueRow;
};
const write = async (method: string, path: string, parts: Parts): Promise<TestResponse> => {
  const response = await send(harness, token, method, path, parts);
  expect(response.status).toBeLessThan(300);
  return response;
};
const aNote = async (parts: Parts): Promise<string> =>
  `/v2/note/${(await write('POST', '/v2/notes', parts)).body.id}`;
const statusOf = async (path: string, by = reader): Promise<number> => (await by.get(path)).status;

describe('a note with a word that requires review', () => {
  const list = () => `/v2/note/user_created/${author.id}`;
  const totals = async () => {
    const all = [author, friend, reader].map((by) => by.get(list()));
    return (await Promise.all(all)).map(({ body }) => [body.total, body.notes.length]);
  };

  it('201: is visible to its author only: in no list and total, and 1000 for others', async () => {
    const response = await author.post('/v2/notes', QUEUED_NOTE);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ ...QUEUED_NOTE, privacy: 'public' });
    const path = `/v2/note/${response.body.id}`;
    expect((await author.get(path)).body).toEqual(response.body);
    for (const by of [friend, reader]) {
      for (const refused of [
        by.get(path),
        by.get(`${path}/comments`),
        by.post(`${path}/comments`, { content: 'x' }),
        by.post(`${path}/like`),
        by.put(path, CLEAN),
        by.remove(path),
      ]) {
        expect(errorOf(await refused)).toEqual(FORBIDDEN);
      }
    }
    expect(await totals()).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
    expect(await open()).toMatchObject({ kind: 'note', words: ['moon juice'] });
    expect((await open()).excerpt).toBe('content: Moon  juice!');
  });

  it('becomes visible according to its privacy when it is released', async () => {
    const path = await aNote(QUEUED_NOTE);
    await queue.release((await open()).id, 'mo');
    expect([await statusOf(path), await totals()]).toEqual([
      200,
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ]);
    const other = await aNote({ ...QUEUED_NOTE, privacy: 'friend' });
    expect(await statusOf(other, friend)).toBe(403);
    await queue.release((await open()).id, 'mo');
    expect([await statusOf(other, friend), await statusOf(other)]).toEqual([200, 403]);
  });

  it('replaces an open entry that an import has stored for the visible note', async () => {
    const path = await aNote(CLEAN);
    const queued = async (): Promise<void> => {
      await harness.source.query(
        `INSERT INTO moderation_queue (kind, target_id, user_id, words, excerpt)
         VALUES ('note', $1, $2, '{}', 'imported')`,
        [path.split('/').at(-1), author.id],
      );
    };
    await queued();
    await write('PUT', path, QUEUED_NOTE);
    expect((await open()).words).toEqual(['moon juice']);
    expect(await statusOf(path)).toBe(403);
    await write('PUT', path, CLEAN);
    expect(await statusOf(path)).toBe(200);
    await queued();
    await queue.reject((await open()).id, 'mo');
    expect(await statusOf(path)).toBe(403);
  });

  it.each(['title', 'desc_1'])('is queued for its %s, too', async (name) => {
    const parts = { ...CLEAN, pids: 'p_1', image_1: image, desc_1: 'Rain', [name]: '云 间' };
    const path = await aNote(parts);
    expect(await statusOf(path)).toBe(403);
    const { words, excerpt } = await open();
    expect([words, excerpt.includes(`${name}: 云 间`)]).toEqual([['云间'], true]);
  });

  it('shows its pictures at signed addresses only, until it is released', async () => {
    const parts = { ...QUEUED_NOTE, pids: 'p_1', image_1: image };
    const { body } = await write('POST', '/v2/notes', parts);
    const path = `/v2/note/${body.id}`;
    const pictureOf = async (note: string) => {
      const address = String((await author.get(note)).body.photos['1']);
      return address.replace('http://api.test', '');
    };
    const signed = await pictureOf(path);
    const bare = signed.replace(/\?.*$/, '');
    expect(signed).not.toBe(bare);
    const statuses = async () => [
      (await harness.call(signed)).status,
      (await harness.call(bare)).status,
    ];
    expect(await statuses()).toEqual([200, 403]);
    await queue.release((await open()).id, 'mo');
    const address = await pictureOf(path);
    expect([address.includes('?'), (await harness.call(address)).status]).toEqual([false, 200]);
    await write('PUT', path, { ...QUEUED_NOTE, content: 'Moon juice again <图片p_1>' });
    expect(await statuses()).toEqual([200, 403]);
    expect((await harness.call(address)).status).toBe(404);
    await write('PUT', path, { ...CLEAN, content: 'Rain <图片p_1>' });
    expect((await harness.call(address)).status).toBe(200);
  });

  it('is queued again when it is edited, after any decision', async () => {
    const path = await aNote(QUEUED_NOTE);
    await queue.release((await open()).id, 'mo');
    await write('PUT', path, { ...QUEUED_NOTE, content: 'Moon juice, more.' });
    expect(await statusOf(path)).toBe(403);
    const { id } = await open();
    await write('PUT', path, { ...QUEUED_NOTE, content: 'Moon juice, most.' });
    await expect(queue.release(id, 'mo')).rejects.toThrow('changed');
    expect((await open()).excerpt).toBe('content: Moon juice, most.');
    await write('PUT', path, CLEAN);
    expect([await statusOf(path), await openOf(author)]).toEqual([200, []]);
  });

  it('stays queued when a picture is added, because it still has the words', async () => {
    const path = await aNote(QUEUED_NOTE);
    const more = { pids: 'p_1', image_1: image };
    await write('POST', path, more);
    expect([await statusOf(path), (await open()).words]).toEqual([403, ['moon juice']]);
    await write('POST', path, { pids: 'p_2', image_2: image, content: 'Rain' });
    expect([await statusOf(path), await openOf(author)]).toEqual([200, []]);
    await write('POST', path, { pids: 'p_3', image_3: image, desc_3: '云间' });
    expect([await statusOf(path), (await open()).words]).toEqual([403, ['云间']]);
  });

  it('stays queued for the caption of a picture that it keeps', async () => {
    const path = await aNote({ ...CLEAN, pids: 'p_1', image_1: image, desc_1: '云间' });
    await write('PUT', path, { ...CLEAN, content: 'Rain <图片p_1>' });
    expect([await statusOf(path), (await open()).words]).toEqual([403, ['云间']]);
    await write('PUT', path, { ...CLEAN, content: 'Rain [img=1:C]fine[/img]' });
    expect(await statusOf(path)).toBe(200);
  });

  it('stays hidden when it is rejected, and its later versions are queued', async () => {
    const path = await aNote(QUEUED_NOTE);
    await queue.reject((await open()).id, 'mo');
    expect([await statusOf(path), await statusOf(path, author)]).toEqual([403, 200]);
    await write('PUT', path, CLEAN);
    expect(await statusOf(path)).toBe(403);
    const { id, words, excerpt } = await open();
    expect([words, excerpt]).toEqual([['moon juice'], 'A day\nIt rained.']);
    await queue.release(id, 'mo');
    expect(await statusOf(path)).toBe(200);
  });

  it('leaves the queue when it is deleted', async () => {
    const path = await aNote(QUEUED_NOTE);
    const { id } = await open();
    expect((await author.remove(path)).status).toBe(200);
    expect(await openOf(author)).toEqual([]);
    await expect(queue.release(id, 'mo')).rejects.toThrow('changed');
  });

  it('is created and queued once by a retry with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `held-note-${author.id}` };
    const first = await author.post('/v2/notes', QUEUED_NOTE, headers);
    expect((await author.post('/v2/notes', QUEUED_NOTE, headers)).text).toBe(first.text);
    await open();
  });
});

describe('a reply with a word that requires review', () => {
  const content = '云间';
  const seenBy = async (note: string, by: Writer) => {
    const [one, replies] = [await by.get(note), await by.get(`${note}/comments`)];
    return [one.body.comments_count, replies.body.total, replies.body.comments.length];
  };

  it('is visible to its author only: in no list, total or counter, and 1006 for others', async () => {
    const note = await aNote(CLEAN);
    await reader.post(`${note}/comments`, { content: 'Fine.' });
    const { status, body } = await friend.post(`${note}/comments`, { content });
    expect([status, body.content]).toEqual([201, content]);
    const path = `${note}/comment/${body.id}`;
    expect((await friend.get(path)).body).toEqual(body);
    expect(await seenBy(note, friend)).toEqual([2, 2, 2]);
    const [mine] = (await friend.get(`/v2/note/user_created/${author.id}`)).body.notes;
    expect(mine.comments_count).toBe(2);
    for (const by of [author, reader]) {
      expect(errorOf(await by.get(path))).toEqual(NOT_FOUND);
      expect(errorOf(await by.remove(path))).toEqual(NOT_FOUND);
      expect(await seenBy(note, by)).toEqual([1, 1, 1]);
    }
    const waiting = await open(friend);
    expect(waiting).toMatchObject({ kind: 'note_reply', target_id: Number(body.id) });
    await queue.release(waiting.id, 'mo');
    expect((await reader.get(path)).status).toBe(200);
    for (const by of [author, friend, reader]) expect(await seenBy(note, by)).toEqual([2, 2, 2]);
    expect((await author.remove(path)).status).toBe(200);
    for (const by of [author, friend]) expect(await seenBy(note, by)).toEqual([1, 1, 1]);
  });

  it('stays hidden and uncounted when it is rejected, and its author can delete it', async () => {
    const note = await aNote(CLEAN);
    const { body } = await friend.post(`${note}/comments`, { content });
    await queue.reject((await open(friend)).id, 'mo');
    expect(await openOf(friend)).toEqual([]);
    expect(await seenBy(note, author)).toEqual([0, 0, 0]);
    const path = `${note}/comment/${body.id}`;
    expect((await friend.remove(path)).status).toBe(200);
    for (const by of [author, friend]) expect(await seenBy(note, by)).toEqual([0, 0, 0]);
  });

  it('leaves the queue when it or its note is deleted', async () => {
    const note = await aNote(CLEAN);
    const { body } = await friend.post(`${note}/comments`, { content });
    await friend.remove(`${note}/comment/${body.id}`);
    expect(await openOf(friend)).toEqual([]);
    await friend.post(`${note}/comments`, { content });
    const { id } = await open(friend);
    await author.remove(note);
    expect(await openOf(friend)).toEqual([]);
    await expect(queue.release(id, 'mo')).rejects.toThrow('changed');
  });

  it('is counted once by concurrent releases and replies', async () => {
    const note = await aNote(CLEAN);
    await friend.post(`${note}/comments`, { content });
    const { id } = await open(friend);
    const reply = () => reader.post(`${note}/comments`, { content: 'Fine.' });
    const results = await Promise.allSettled([
      ...[reply(), queue.release(id, 'one'), reply(), queue.release(id, 'two'), reply()],
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    for (const by of [author, friend, reader]) expect(await seenBy(note, by)).toEqual([4, 4, 4]);
  });

  it('400 1005 takes precedence over its words', async () => {
    const note = await aNote(CLEAN);
    expectRefused(await friend.post(`${note}/comments`, { content: ' ' }), 400, 1005);
  });
});
