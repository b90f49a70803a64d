import { ANNOTATION, OWN_REVIEW } from '../contract/book-shapes';
import { unique } from './client';
import { expectError, expectList, expectShape, itCallsAll } from './expectations';
import { NO_PICTURES, openPicture, somePicture } from './pictures';
import { ROUTES } from './routes';
import { Stage, type Fields, type Member } from './stage';

const word = unique();
const LONG = '一'.repeat(151);
const CONTENT = `A sentence of more than fifteen characters ${word}.`;

const stage = new Stage();
let writer: Member;
let other: Member;
let book: string;
beforeAll(async () => {
  [writer, other] = await stage.twoMembers();
  book = await stage.make('/books', { title: `Annotated ${word}` });
});
afterAll(() => stage.close());

const post = (fields: Fields, by = writer) =>
  by.send('POST', `/v2/book/${book}/annotations`, { content: CONTENT, page: 7, ...fields });
const at = (id: string): string => `/v2/book/annotation/${id}`;
/** Creates an annotation that is deleted at the end of the file. */
async function made(fields: Fields = {}) {
  const body = expectShape(await post(fields), 201, ANNOTATION);
  stage.atEnd(() => writer.send('DELETE', at(body.id)));
  return body;
}
const listed = async (path: string, by: Member): Promise<string[]> =>
  expectList(await by.get(path), 'annotations', ANNOTATION).map(({ id }) => id as string);

describe('annotations', () => {
  it('201, 200, 202, 204: an annotation is created, read in both formats, updated and deleted', async () => {
    const body = expectShape(await post({}), 201, ANNOTATION);
    expect(body).toMatchObject({
      book_id: book,
      book: { id: book },
      author_id: writer.id,
      author_user: { id: writer.id, uid: writer.uid },
      content: CONTENT,
      page_no: 7,
      chapter: '',
      privacy: 2,
      photos: {},
      last_photo: 0,
    });
    const path = at(body.id);
    expect(expectShape(await other.get(path), 200, ANNOTATION)).toEqual(body);
    const html = expectShape(await other.get(`${path}?format=html`), 200, ANNOTATION);
    expect(html.content).toContain(word);
    const fields = { content: `${CONTENT} <b>`, chapter: 'Two' };
    const changed = expectShape(await writer.send('PUT', path, fields), 202, ANNOTATION);
    expect(changed).toMatchObject({ ...fields, id: body.id, page_no: 0 });
    expect((await other.get(`${path}?format=html`)).body.content).toContain('&lt;b&gt;');
    for (const method of ['PUT', 'DELETE']) {
      expectError(await other.send(method, path, fields), 403, 6002);
      expectError(await stage.nobody(method, path), 403, 1000);
    }
    const gone = await writer.send('DELETE', path);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const sent = method === 'GET' ? undefined : { content: CONTENT, page: 1 };
      expectError(await writer.send(method, path, sent), 404, 1001);
    }
  });

  it('200: annotations are listed by book and by user, private ones for their author only', async () => {
    const [late, early] = [await made({ page: 9 }), await made({ page: 2 })];
    const hidden = await made({ page: 3, privacy: 'private' });
    expect(hidden.privacy).toBe(1);
    const ofBook = `/v2/book/${book}/annotations`;
    const ofUser = `/v2/book/user/${writer.uid}/annotations`;
    expect(await listed(`${ofBook}?order=page`, other)).toEqual([early.id, late.id]);
    expect(await listed(`${ofBook}?page=9`, other)).toEqual([late.id]);
    for (const order of ['collect', 'rank']) {
      const ids = await listed(`${ofBook}?order=${order}&format=html`, other);
      expect(ids.sort()).toEqual([early.id, late.id].sort());
    }
    expect((await listed(ofUser, other)).sort()).toEqual([early.id, late.id].sort());
    expect(await listed(ofUser, writer)).toContain(hidden.id);
    expectError(await other.get(at(hidden.id)), 404, 1001);
    expectShape(await writer.get(at(hidden.id)), 200, ANNOTATION);
    const { body } = await other.get(`${ofBook}?count=1&fields=id`);
    expect([body.count, body.total, Object.keys(body.annotations[0])]).toEqual([1, 2, ['id']]);
    for (const query of ['?order=best', '?format=bbcode']) {
      expectError(await other.get(ofBook + query), 400, 999);
    }
    expectError(await other.get(`${ofBook}?page=x`), 400, 6012);
  });

  it.each<[string, Fields, number]>([
    ['a content of 15 characters', { content: '一'.repeat(15) }, 1005],
    ['a blank content', { content: ' ' }, 1005],
    ['page 1000000', { page: 1_000_000 }, 6012],
    ['page 0', { page: 0 }, 6012],
    ['a chapter of 101 characters', { chapter: '章'.repeat(101) }, 6013],
  ])('400: rejects %s', async (_what, fields, code) => {
    expectError(await post(fields), 400, code);
  });

  it('400, 403, 404: writes require content and page (1002), a user (1000) and a book (6000)', async () => {
    const path = `/v2/book/${book}/annotations`;
    expectError(await writer.send('POST', path, { page: 1 }), 400, 1002);
    expectError(await writer.send('POST', path, { content: CONTENT }), 400, 1002);
    expectError(await stage.nobody('POST', path), 403, 1000);
    const nowhere = { content: CONTENT, page: 1 };
    expectError(await writer.send('POST', '/v2/book/0/annotations', nowhere), 404, 6000);
  });
});

describe('pictures of annotations', () => {
  it('201, 202: pictures have a number, are shown where the content names it, and are never replaced', async () => {
    const content = `${CONTENT} <图片 n="1"> here.`;
    const body = await made({ content, 1: await somePicture(), pic2: await somePicture() });
    expect(Object.keys(body.photos)).toEqual(['1', '2']);
    expect(body).toMatchObject({ last_photo: 2, abstract_photo: body.photos['1'] });
    const picture = await openPicture(stage.service, body.photos['1']);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const html = await other.get(`${at(body.id)}?format=html`);
    expect(html.body.content).toContain(body.photos['1']);
    const again = { content, page: 1, 1: await somePicture() };
    expectError(await writer.send('PUT', at(body.id), again), 400, 999);
    const more = { content, page: 1, 3: await somePicture() };
    const put = expectShape(await writer.send('PUT', at(body.id), more), 202, ANNOTATION);
    expect(put.photos).toEqual({ ...body.photos, '3': expect.any(String) });
  });

  it('403: pictures of a private annotation require a signed address (1010)', async () => {
    const body = await made({ 1: await somePicture(), privacy: 'private' });
    const address = new URL(body.photos['1']);
    expect((await openPicture(stage.service, address.href)).status).toBe(200);
    const wrong = new URL(address);
    wrong.searchParams.set('ck', 'wrong');
    expectError(await openPicture(stage.service, wrong.href), 403, 1010);
    expectError(await stage.service.call(address.pathname), 403, 1010);
  });

  it.each(NO_PICTURES)('400: %s is rejected, and nothing is stored', async (_what, bytes, code) => {
    const chapter = unique();
    expectError(await post({ chapter, 1: bytes }), 400, code);
    const { text } = await writer.get(`/v2/book/user/${writer.uid}/annotations?count=100`);
    expect(text).not.toContain(chapter);
  });
});

describe('reviews', () => {
  const write = (fields: object, by = writer, method = 'POST', path = '/v2/book/reviews') =>
    by.send(method, path, { book, title: 'Title', content: LONG, ...fields });

  it('201, 202, 200: a review is created, updated and deleted; responses have its full text', async () => {
    const made = expectShape(await write({ rating: 4 }), 201, OWN_REVIEW);
    expect(made).toMatchObject({
      title: 'Title',
      content: LONG,
      author: { id: writer.id, uid: writer.uid },
      book: { id: book },
      rating: { max: 5, min: 1, value: '4' },
    });
    const path = `/v2/book/review/${made.id}`;
    const put = await write({ title: 'Another', rating: 9 }, writer, 'PUT', path);
    expect(expectShape(put, 202, OWN_REVIEW)).toMatchObject({
      id: made.id,
      title: 'Another',
      rating: { value: '0' },
    });
    expectError(await write({}, other, 'PUT', path), 403, 6002);
    expectError(await other.send('DELETE', path), 403, 6002);
    const gone = await writer.send('DELETE', path);
    expect([gone.status, gone.body]).toEqual([200, 'OK']);
    expectError(await writer.send('DELETE', path), 404, 6006);
    expectError(await write({}, writer, 'PUT', path), 404, 6006);
  });

  it.each([
    ['a content of 150 characters', { content: '一'.repeat(150) }, 400, 6004],
    ['a blank title', { title: ' ' }, 400, 1012],
    ['no such book', { book: 0 }, 404, 6000],
    ['a book that is no number', { book: 'x' }, 400, 999],
  ])('rejects %s', async (_what, fields, status, code) => {
    expectError(await write(fields), status, code);
  });

  it('400, 403: writes require a book, a title and content (1002), and a user (1000)', async () => {
    const lacking: Fields[] = [
      { title: 'T', content: LONG },
      { book, content: LONG },
      { book, title: 'T' },
    ];
    for (const fields of lacking) {
      expectError(await writer.send('POST', '/v2/book/reviews', fields), 400, 1002);
    }
    expectError(await stage.nobody('POST', '/v2/book/reviews'), 403, 1000);
    for (const method of ['PUT', 'DELETE']) {
      expectError(await stage.nobody(method, '/v2/book/review/1'), 403, 1000);
    }
  });
});

itCallsAll(ROUTES.writing, stage.service);
