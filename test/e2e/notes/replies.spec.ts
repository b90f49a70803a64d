import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { expectRefused, writer, type Writer } from '../books/writes';
import { itIsForReaders, errorOf, FORBIDDEN, NO_NOTES, NOT_FOUND } from './parts';

let harness: Harness;
let make: Factories;
let author: Writer;
let reader: Writer;
let stranger: Writer;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  author = await writer(harness, (await make.aUser({ name: '作者' })).id);
  reader = await writer(harness, (await make.aUser({ name: '读者' })).id);
  stranger = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

const aNote = async (more: Record<string, unknown> = {}): Promise<string> =>
  `/v2/note/${(await make.aNote({ author_id: author.id, ...more })).id}`;
const count = async (note: string): Promise<number> => (await author.get(note)).body.comments_count;

describe('POST /v2/note/:id/comments', () => {
  it('201: returns {id, created, content, author}, and increments the counter (D30)', async () => {
    const note = await aNote();
    const { status, body } = await reader.post(`${note}/comments`, { content: ' <b>好</b> ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      content: '<b>好</b>',
      author: {
        id: String(reader.id),
        name: '读者',
        uid: expect.any(String),
        signature: '',
        alt: expect.stringMatching(/^http:\/\/web\.test\/people\/.+\/$/),
        avatar: expect.stringMatching(/^http:\/\/api\.test\/.+/),
      },
    });
    expect((await stranger.get(`${note}/comment/${body.id}`)).body).toEqual(body);
    expect(await count(note)).toBe(1);
  });

  it('400 1002 without content, 1005 with a blank one; does not increment the counter', async () => {
    const note = await aNote();
    expectRefused(await reader.post(`${note}/comments`), 400, 1002);
    expectRefused(await reader.post(`${note}/comments`, { content: ' \u200b' }), 400, 1005);
    expect(await count(note)).toBe(0);
  });

  it('403 1000 for a note that does not accept replies, also for its author', async () => {
    const note = await aNote({ can_reply: false });
    for (const by of [reader, author]) {
      expect(errorOf(await by.post(`${note}/comments`, { content: 'x' }))).toEqual(FORBIDDEN);
    }
  });

  it('400 1006 for an unknown note', async () => {
    for (const id of NO_NOTES) {
      const response = await reader.post(`/v2/note/${id}/comments`, { content: 'x' });
      expect(errorOf(response)).toEqual(NOT_FOUND);
    }
  });

  it('is executed once with an Idempotency-Key', async () => {
    const note = await aNote();
    const key = { 'Idempotency-Key': 'reply-once' };
    const first = await reader.post(`${note}/comments`, { content: 'x' }, key);
    expect((await reader.post(`${note}/comments`, { content: 'x' }, key)).text).toBe(first.text);
    expect(await count(note)).toBe(1);
  });

  it('counts each of many concurrent replies', async () => {
    const note = await aNote();
    const post = () => reader.post(`${note}/comments`, { content: 'x' });
    const responses = await Promise.all(Array.from({ length: 40 }, post));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await count(note)).toBe(40);
    expect((await reader.get(`${note}/comments`)).body.total).toBe(40);
  });

  itIsForReaders(() => ({
    harness,
    method: 'POST',
    path: '/v2/note/1/comments',
    userId: reader.id,
  }));
});

describe('GET /v2/note/:id/comments', () => {
  it('200: is {start, count, total, comments}, oldest first', async () => {
    const note = await aNote();
    const id = Number(note.split('/').pop());
    const late = await make.aReply(id, { created: '2014-02-01 00:00:00' });
    const early = await make.aReply(id, { created: '2013-02-01 00:00:00' });
    const { status, body } = await stranger.get(`${note}/comments`);
    expect([status, Object.keys(body)]).toEqual([200, ['start', 'count', 'total', 'comments']]);
    expect(body.comments.map((one: { id: string }) => one.id)).toEqual([
      String(early),
      String(late),
    ]);
    expect((await stranger.get(`${note}/comment/${early}`)).body).toEqual(body.comments[0]);
  });

  it('400 1006 for an unknown note', async () => {
    for (const id of NO_NOTES) {
      expect(errorOf(await reader.get(`/v2/note/${id}/comments`))).toEqual(NOT_FOUND);
    }
  });
});

describe('a single reply', () => {
  it('400 1006 when it is unknown or belongs to another note', async () => {
    const [one, two] = [await aNote(), await aNote()];
    const { body } = await reader.post(`${one}/comments`, { content: 'x' });
    for (const id of [...NO_NOTES]) {
      expect(errorOf(await reader.get(`${one}/comment/${id}`))).toEqual(NOT_FOUND);
      expect(errorOf(await reader.remove(`${one}/comment/${id}`))).toEqual(NOT_FOUND);
      expect(errorOf(await reader.get(`/v2/note/${id}/comment/${body.id}`))).toEqual(NOT_FOUND);
      expect(errorOf(await reader.remove(`/v2/note/${id}/comment/${body.id}`))).toEqual(NOT_FOUND);
    }
    expect(errorOf(await reader.get(`${two}/comment/${body.id}`))).toEqual(NOT_FOUND);
    expect(errorOf(await author.remove(`${two}/comment/${body.id}`))).toEqual(NOT_FOUND);
    expect([await count(one), await count(two)]).toEqual([1, 0]);
  });

  it('404 1001 for ids that are not numbers', async () => {
    const note = await aNote();
    for (const path of [`${note}/comment/x`, '/v2/note/x/comment/1']) {
      expectRefused(await reader.get(path), 404, 1001);
    }
  });

  it('200 {}: can be deleted by its author and the author of the note only', async () => {
    const note = await aNote();
    const made = [1, 2].map(() => reader.post(`${note}/comments`, { content: 'x' }));
    const [one, two] = (await Promise.all(made)).map(({ body }) => `${note}/comment/${body.id}`);
    expect(errorOf(await stranger.remove(String(one)))).toEqual(FORBIDDEN);
    expect(await count(note)).toBe(2);
    for (const [by, path] of [
      [reader, one],
      [author, two],
    ] as const) {
      const { status, body } = await by.remove(String(path));
      expect([status, body]).toEqual([200, {}]);
      expect(errorOf(await by.remove(String(path)))).toEqual(NOT_FOUND);
    }
    expect(await count(note)).toBe(0);
  });

  it('is deleted once by concurrent requests', async () => {
    const note = await aNote();
    const { body } = await reader.post(`${note}/comments`, { content: 'x' });
    await reader.post(`${note}/comments`, { content: 'y' });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => reader.remove(`${note}/comment/${body.id}`)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await count(note)).toBe(1);
  });
});
