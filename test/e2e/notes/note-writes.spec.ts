import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { membersOf } from '../books/shapes';
import { expectRefused, writer, type Fields, type Writer } from '../books/writes';
import { itIsForReaders, errorOf, FORBIDDEN, NO_NOTES, NOT_FOUND, NOTE_MEMBERS } from './parts';

let harness: Harness;
let make: Factories;
let user: Writer;
let other: Writer;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
  other = await writer(harness, (await make.aUser()).id);
});
afterAll(() => harness.close());

const WHOLE = { title: '日记', content: '今天天气好' };
const add = (fields: Fields = {}, by = user) => by.post('/v2/notes', { ...WHOLE, ...fields });
const newNote = async (fields: Fields = {}): Promise<string> =>
  `/v2/note/${(await add(fields)).body.id}`;
const rows = async (table: string): Promise<number> =>
  (await harness.source.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ??
  -1;

describe('POST /v2/notes', () => {
  it('201: returns the note of section 2.6, public and open to replies by default', async () => {
    const { status, body } = await add({ title: ' 日记 ' });
    expect(status).toBe(201);
    expect(membersOf(body)).toEqual(NOTE_MEMBERS);
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      title: '日记',
      alt: `http://web.test/note/${body.id}/`,
      summary: '今天天气好',
      content: '今天天气好',
      privacy: 'public',
      can_reply: true,
      publish_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      update_time: body.publish_time,
      photos: {},
      comments_count: 0,
      liked_count: 0,
      recs_count: 0,
    });
    expect((await user.get(`/v2/note/${body.id}`)).body).toEqual(body);
  });

  it.each([
    ['a form', new URLSearchParams({ ...WHOLE, privacy: 'friend', can_reply: 'false' }), undefined],
    ['JSON', JSON.stringify({ ...WHOLE, privacy: 'friend', can_reply: false }), 'application/json'],
  ])('201: accepts %s', async (_what, body, type) => {
    const token = await harness.token({ userId: user.id });
    const headers: Record<string, string> = type ? { 'content-type': type } : {};
    const response = await harness.call('/v2/notes', { method: 'POST', token, body, headers });
    expect([response.status, response.body.privacy, response.body.can_reply]).toEqual([
      201,
      'friend',
      false,
    ]);
  });

  it.each<[string, Fields, number]>([
    ['a blank title', { title: ' \u200b ' }, 1012],
    ['a blank content', { content: '\u0000 ' }, 1013],
    ['an unknown privacy', { privacy: 'friends' }, 999],
    ['an empty privacy', { privacy: '' }, 999],
    ['another can_reply', { can_reply: 'maybe' }, 999],
    ['a picture that did not come', { pids: 'p_1' }, 999],
    ['pids that are none', { pids: '1,2' }, 999],
  ])('400: rejects %s and stores nothing', async (_what, fields, code) => {
    const before = await rows('notes');
    expectRefused(await add(fields), 400, code);
    expect(await rows('notes')).toBe(before);
  });

  it.each([
    ['title', { content: 'x' }],
    ['content', { title: 'x' }],
  ])('400: requires %s (1002)', async (_what, fields) => {
    expectRefused(await user.post('/v2/notes', fields), 400, 1002);
  });

  it('is executed once with an Idempotency-Key', async () => {
    const before = await rows('notes');
    const key = { 'Idempotency-Key': 'note-once' };
    const first = await user.post('/v2/notes', WHOLE, key);
    expect((await user.post('/v2/notes', WHOLE, key)).text).toBe(first.text);
    expect(await rows('notes')).toBe(before + 1);
  });

  itIsForReaders(() => ({
    harness,
    method: 'POST',
    path: '/v2/notes',
    userId: user.id,
  }));
});

describe('PUT /v2/note/:id', () => {
  it('202: returns the changed note; omitted parameters return to their defaults', async () => {
    const path = await newNote({ privacy: 'private', can_reply: 'false' });
    const { body: before } = await user.get(path);
    const { status, body } = await user.put(path, { title: '改', content: '改了' });
    expect(status).toBe(202);
    expect(body).toEqual({
      ...before,
      title: '改',
      content: '改了',
      summary: '改了',
      privacy: 'public',
      can_reply: true,
      update_time: body.update_time,
    });
    expect((await user.get(path)).body).toEqual(body);
  });

  it('keeps the replaced version, and none when nothing changed', async () => {
    const path = await newNote({ content: 'first' });
    const id = path.split('/').pop();
    await user.put(path, { ...WHOLE, content: 'second' });
    await user.put(path, { ...WHOLE, content: 'second' });
    await user.put(path, { title: 'other', content: 'second' });
    const sql = 'SELECT title, content FROM note_versions WHERE note_id = $1 ORDER BY id';
    expect(await harness.source.query(sql, [id])).toEqual([
      { title: '日记', content: 'first' },
      { title: '日记', content: 'second' },
    ]);
  });

  it.each<[Fields, number]>([
    [{ content: 'x' }, 1002],
    [{ title: 'x' }, 1002],
    [{ title: '', content: 'x' }, 1012],
    [{ title: 'x', content: '' }, 1013],
    [{ ...WHOLE, privacy: 'x' }, 999],
  ])('400: rejects %j (%d) and changes nothing', async (fields, code) => {
    const path = await newNote();
    const { body } = await user.get(path);
    expectRefused(await user.put(path, fields), 400, code);
    expect((await user.get(path)).body).toEqual(body);
  });

  it("403 1000 for another user's note, visible or not; 400 1006 for an unknown one", async () => {
    for (const privacy of ['public', 'private']) {
      const path = await newNote({ privacy });
      expect(errorOf(await other.put(path, WHOLE))).toEqual(FORBIDDEN);
    }
    for (const id of NO_NOTES) {
      expect(errorOf(await user.put(`/v2/note/${id}`, WHOLE))).toEqual(NOT_FOUND);
    }
  });
});

describe('DELETE /v2/note/:id', () => {
  it('200 {}: deletes likes, replies and versions with the note', async () => {
    const path = await newNote();
    await user.post(`${path}/like`);
    await user.post(`${path}/comments`, { content: 'x' });
    await user.put(path, { ...WHOLE, content: 'y' });
    const { status, body } = await user.remove(path);
    expect([status, body]).toEqual([200, {}]);
    expect(errorOf(await user.get(path))).toEqual(NOT_FOUND);
    expect(errorOf(await user.remove(path))).toEqual(NOT_FOUND);
    const id = path.split('/').pop();
    for (const table of ['note_likes', 'note_replies', 'note_versions']) {
      expect(await harness.source.query(`SELECT 1 FROM ${table} WHERE note_id = $1`, [id])).toEqual(
        [],
      );
    }
  });

  it("403 1000 for another user's note; 400 1006 for an unknown one", async () => {
    const path = await newNote();
    expect(errorOf(await other.remove(path))).toEqual(FORBIDDEN);
    expect((await user.get(path)).status).toBe(200);
    for (const id of NO_NOTES) {
      expect(errorOf(await user.remove(`/v2/note/${id}`))).toEqual(NOT_FOUND);
    }
  });
});
