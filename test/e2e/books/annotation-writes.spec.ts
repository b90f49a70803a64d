import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { UNKNOWN_IDS } from '../guarantees';
import { ANNOTATION, membersOf } from './shapes';
import { expectRefused, itNeedsAUser, writer, type Fields, type Writer } from './writes';

const CONTENT = '读到这里，不由得停了下来。想了又想';

let harness: Harness;
let make: Factories;
let user: Writer;
let other: Writer;
let book: number;
let path: string;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
  other = await writer(harness, (await make.aUser()).id);
  book = await make.aBook();
  path = `/v2/book/${book}/annotations`;
});
afterAll(() => harness.close());

const add = (fields: Fields = {}, by = user) =>
  by.post(path, { content: CONTENT, page: 12, ...fields });

describe('POST /v2/book/:id/annotations', () => {
  it('201: has the annotation of section 2.5', async () => {
    const content = `${CONTENT} <tex>a^2</tex>\n第二行`;
    const { status, body } = await add({ content, chapter: ' 第三章 ' });
    expect(status).toBe(201);
    expect(membersOf(body)).toEqual(ANNOTATION);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      book_id: String(book),
      book: { id: String(book) },
      author_id: String(user.id),
      author_user: { id: String(user.id) },
      content,
      page_no: 12,
      chapter: '第三章',
      privacy: 2,
      photos: {},
      last_photo: 0,
      hasmath: true,
      comments_count: 0,
    });
    expect((await harness.call(`/v2/book/annotation/${body.id}`)).body).toEqual(body);
  });

  it('201: a chapter is required without a page; the page is then 0 (D24)', async () => {
    const { body } = await user.post(path, { content: CONTENT, chapter: 'x' });
    expect(body).toMatchObject({ page_no: 0, chapter: 'x' });
  });

  it('201: a private annotation is visible to its author only (D21)', async () => {
    const { body } = await add({ privacy: 'private' });
    expect(body.privacy).toBe(1);
    const single = `/v2/book/annotation/${body.id}`;
    expect((await user.get(single)).status).toBe(200);
    expectRefused(await other.get(single), 404, 1001);
    expectRefused(await harness.call(single), 404, 1001);
    expect((await add({ privacy: 'secret' })).body.privacy).toBe(2);
  });

  it.each<[string, Fields]>([
    ['16 letters', { content: 'a'.repeat(16) }],
    ['16 emoji', { content: '😀'.repeat(16) }],
    ['the page 1', { page: 1 }],
    ['the page 999999', { page: 999999 }],
    ['a chapter of 100 letters', { chapter: 'c'.repeat(100) }],
    ['a chapter of 100 emoji', { chapter: '😀'.repeat(100) }],
  ])('201: accepts %s', async (_what, fields) => {
    expect((await add(fields)).status).toBe(201);
  });

  it.each<[string, Fields, number]>([
    ['15 letters', { content: 'a'.repeat(15) }, 1005],
    ['15 emoji', { content: '😀'.repeat(15) }, 1005],
    ['15 composed letters', { content: 'e\u0301'.repeat(15) }, 1005],
    ['15 letters and blanks around them', { content: ` ${'a'.repeat(15)}   ` }, 1005],
    ['a blank content', { content: '  ' }, 1005],
    ['the page 0', { page: 0 }, 6012],
    ['a page of 7 digits', { page: '0000005' }, 6012],
    ['the page 1000000', { page: 1000000 }, 6012],
    ['a page that is no number', { page: 'xii' }, 6012],
    ['a page below zero', { page: -1 }, 6012],
    ['half a page', { page: 1.5 }, 6012],
    ['a chapter of 101 letters', { chapter: 'c'.repeat(101) }, 6013],
    ['a chapter of 101 emoji', { chapter: '😀'.repeat(101) }, 6013],
    ['neither page nor chapter', { page: '' }, 1002],
  ])('400: rejects %s', async (_what, fields, code) => {
    expectRefused(await add(fields), 400, code);
  });

  it('400: returns 1002 without content', async () => {
    expectRefused(await user.post(path, { page: 1 }), 400, 1002);
  });

  itNeedsAUser('book_basic_w', () => ({ harness, method: 'POST', path, userId: user.id }));

  it('403, 404: returns 6007 for a magazine, 6000 for an unknown book', async () => {
    const magazine = await make.aBook({ kind: 'magazine' });
    const fields = { content: CONTENT, page: 1 };
    expectRefused(await user.post(`/v2/book/${magazine}/annotations`, fields), 403, 6007);
    for (const id of UNKNOWN_IDS) {
      expectRefused(await user.post(`/v2/book/${id}/annotations`, fields), 404, 6000);
    }
  });
});

describe('PUT /v2/book/annotation/:id', () => {
  it('202: replaces all values', async () => {
    const { body: first } = await add({ chapter: 'x', privacy: 'private' });
    const single = `/v2/book/annotation/${first.id}`;
    const content = `${CONTENT}，再想`;
    const { status, body } = await user.put(single, { content, chapter: '第四章' });
    expect(status).toBe(202);
    expect(membersOf(body)).toEqual(ANNOTATION);
    expect(body).toMatchObject({
      id: first.id,
      content,
      chapter: '第四章',
      page_no: 0,
      privacy: 2,
      book_id: String(book),
    });
    expect((await harness.call(single)).body).toEqual(body);
  });

  it("rejects what POST rejects, another user's annotation (6002), and unknown and private ones (1001)", async () => {
    const { body } = await add();
    const single = `/v2/book/annotation/${body.id}`;
    const good = { content: CONTENT, page: 1 };
    expectRefused(await user.put(single, { ...good, content: 'a'.repeat(15) }), 400, 1005);
    expectRefused(await user.put(single, { ...good, page: 1000000 }), 400, 6012);
    expectRefused(await user.put(single, { content: CONTENT }), 400, 1002);
    expectRefused(await other.put(single, good), 403, 6002);
    const { body: hidden } = await add({ privacy: 'private' });
    expectRefused(await other.put(`/v2/book/annotation/${hidden.id}`, good), 404, 1001);
    for (const id of UNKNOWN_IDS) {
      expectRefused(await user.put(`/v2/book/annotation/${id}`, good), 404, 1001);
    }
    expect((await user.get(single)).body).toEqual(body);
  });

  itNeedsAUser('book_basic_w', () => {
    return { harness, method: 'PUT', path: '/v2/book/annotation/1', userId: user.id };
  });
});

describe('DELETE /v2/book/annotation/:id', () => {
  it("204: deletes the annotation; another user's is rejected (6002, private 1001)", async () => {
    const { body } = await add();
    const { body: hidden } = await add({ privacy: 'private' });
    const single = `/v2/book/annotation/${body.id}`;
    expectRefused(await other.remove(single), 403, 6002);
    expectRefused(await other.remove(`/v2/book/annotation/${hidden.id}`), 404, 1001);
    expect((await user.get(`/v2/book/annotation/${hidden.id}`)).status).toBe(200);
    const response = await user.remove(single);
    expect([response.status, response.text]).toEqual([204, '']);
    expectRefused(await user.get(single), 404, 1001);
    expectRefused(await user.remove(single), 404, 1001);
  });

  itNeedsAUser('book_basic_w', () => {
    return { harness, method: 'DELETE', path: '/v2/book/annotation/1', userId: user.id };
  });
});
