import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { UNKNOWN_IDS } from '../guarantees';
import { COLLECTION, membersOf } from './shapes';
import { expectRefused, itNeedsAUser, writer, type Fields, type Writer } from './writes';

let harness: Harness;
let make: Factories;
let user: Writer;
let book: number;
let path: string;
beforeAll(async () => {
  harness = await startHarness();
  make = new Factories(harness.database);
  user = await writer(harness, (await make.aUser()).id);
});
beforeEach(async () => {
  const rating = { numRaters: 2, average: '7.0' };
  book = await make.aBook({ rating, tags: [{ count: 3, name: '小说' }] });
  path = `/v2/book/${book}/collection`;
});
afterAll(() => harness.close());

const bookNow = async () => (await harness.call(`/v2/book/${book}`)).body;
const another = async () => writer(harness, (await make.aUser()).id);

describe('POST /v2/book/:id/collection', () => {
  describe('201', () => {
    it('has the collection of section 2.4, with the updated counters of the book (D20)', async () => {
      const fields = { status: 'read', rating: 5, comment: ' 好 ', tags: '小说 科幻  小说' };
      const { status, body } = await user.post(path, fields);
      expect(status).toBe(201);
      expect(membersOf(body)).toEqual(COLLECTION);
      expect(body).toMatchObject({
        book_id: String(book),
        user_id: String(user.id),
        status: 'read',
        comment: '好',
        rating: { max: 5, min: 0, value: '5' },
        tags: ['小说', '科幻'],
        book: { rating: { numRaters: 3, average: '8.0' } },
      });
      expect(await bookNow()).toMatchObject({
        rating: { numRaters: 3, average: '8.0' },
        tags: [
          { count: 4, name: '小说' },
          { count: 1, name: '科幻' },
        ],
      });
      expect((await user.get(path)).body).toEqual(body);
    });

    it.each([
      ['wish', 'wish'],
      ['reading', 'reading'],
      ['doing', 'reading'],
      ['read', 'read'],
      ['done', 'read'],
    ])('accepts the status %s for %s', async (input, stored) => {
      expect((await user.post(path, { status: input })).body.status).toBe(stored);
    });

    it.each(['0', '6', '-1', '3.5', 'five', '', '99999999999999999999'])(
      'ignores the rating %p',
      async (rating) => {
        const { status, body } = await user.post(path, { status: 'read', rating });
        expect([status, body.rating.value]).toEqual([201, '0']);
        expect((await bookNow()).rating.numRaters).toBe(2);
      },
    );

    it.each([1, 2, 3, 4, 5])('stores the rating %p', async (rating) => {
      const { body } = await user.post(path, { status: 'read', rating });
      expect(body.rating.value).toBe(String(rating));
    });

    it('is private with privacy=private, otherwise public', async () => {
      const { body } = await user.post(path, { status: 'wish', privacy: 'private', tags: '秘密' });
      expect(body.status).toBe('wish');
      expectRefused(await harness.call(`${path}?user_id=${user.id}`), 404, 1001);
      expect((await bookNow()).tags).toEqual([{ count: 3, name: '小说' }]);
      const other = await another();
      await other.post(path, { status: 'wish', privacy: 'friends' });
      expect((await harness.call(`${path}?user_id=${other.id}`)).status).toBe(200);
    });

    it.each([
      'status=wish&privacy=private&privacy=private',
      '{"status":"wish","privacy":["private"]}',
      '{"status":"wish","privacy":{"as":"private"}}',
      'status=read&rating=4&rating=4',
    ])('returns 999 for %s, which may mean private', async (sent) => {
      const type = sent.startsWith('{') ? 'json' : 'x-www-form-urlencoded';
      const headers = { 'content-type': `application/${type}` };
      const token = await harness.token({ userId: user.id });
      expectRefused(
        await harness.call(path, { method: 'POST', token, headers, body: sent }),
        400,
        999,
      );
      expectRefused(await harness.call(`${path}?user_id=${user.id}`), 404, 1001);
    });

    it.each([
      ['350 letters', 'a'.repeat(350)],
      ['350 emoji', '😀'.repeat(350)],
      ['350 letters with combining accents, composed', 'e\u0301'.repeat(350)],
      ['350 letters and blanks around them', `  ${'字'.repeat(350)}\n`],
    ])('stores a comment of %s', async (_what, comment) => {
      const { status, body } = await user.post(path, { status: 'read', comment });
      expect([status, Array.from(String(body.comment)).length]).toEqual([201, 350]);
    });

    it('accepts JSON and multipart like a form (D8)', async () => {
      const token = await harness.token({ userId: user.id });
      const json = JSON.stringify({ status: 'read', rating: 4, tags: 'a b', more: [1] });
      const headers = { 'content-type': 'application/json' };
      const first = await harness.call(path, { method: 'POST', token, headers, body: json });
      expect([first.status, first.body.rating.value]).toEqual([201, '4']);
      const body = new FormData();
      body.append('status', 'wish');
      const again = await harness.call(path, { method: 'PUT', token, body });
      expect([again.status, again.body.status]).toEqual([202, 'wish']);
    });

    it('accepts 20 tags of 20 characters', async () => {
      const tags = Array.from({ length: 20 }, (_, at) => '😀'.repeat(18) + String(at + 10));
      const { status, body } = await user.post(path, { status: 'read', tags: tags.join(' ') });
      expect([status, body.tags]).toEqual([201, tags]);
    });
  });

  describe('400', () => {
    it.each<[string, Fields, number]>([
      ['no status', {}, 1002],
      ['an empty status', { status: ' ' }, 1002],
      ['another status', { status: 'owned' }, 999],
      ['a comment of 351 letters', { status: 'read', comment: 'a'.repeat(351) }, 6010],
      ['a comment of 351 emoji', { status: 'read', comment: '😀'.repeat(351) }, 6010],
      ['21 tags', { status: 'read', tags: Array.from({ length: 21 }, (_, n) => n).join(' ') }, 999],
      ['a tag of 21 characters', { status: 'read', tags: 'x'.repeat(21) }, 999],
    ])('rejects %s, and stores nothing', async (_what, fields, code) => {
      expectRefused(await user.post(path, fields), 400, code);
      expectRefused(await user.get(path), 404, 1001);
      expect(await bookNow()).toMatchObject({ rating: { numRaters: 2, average: '7.0' } });
    });
  });

  describe('403', () => {
    itNeedsAUser('book_basic_w', () => ({ harness, method: 'POST', path, userId: user.id }));

    it('returns 6007 for a magazine (D27)', async () => {
      const magazine = await make.aBook({ kind: 'magazine' });
      const response = await user.post(`/v2/book/${magazine}/collection`, { status: 'read' });
      expectRefused(response, 403, 6007);
    });
  });

  it.each(UNKNOWN_IDS)('404: returns 6000 for the unknown book %s', async (id) => {
    expectRefused(await user.post(`/v2/book/${id}/collection`, { status: 'read' }), 404, 6000);
  });

  it('409: a second POST changes nothing (6011)', async () => {
    const first = await user.post(path, { status: 'read', rating: 2, tags: 'one' });
    expectRefused(await user.post(path, { status: 'wish', rating: 5, tags: 'two' }), 409, 6011);
    expect((await user.get(path)).body).toEqual(first.body);
  });
});

describe('PUT /v2/book/:id/collection', () => {
  it('202: replaces all values, and updates the counters of the book (D20)', async () => {
    const fields = { status: 'read', rating: 5, comment: 'x', tags: 'a 小说', privacy: 'private' };
    await user.post(path, fields);
    const { status, body } = await user.put(path, { status: 'doing', rating: 1, tags: 'b 小说' });
    expect(status).toBe(202);
    expect(membersOf(body)).toEqual(COLLECTION);
    expect(body).toMatchObject({ status: 'reading', comment: '', rating: { value: '1' } });
    expect((await harness.call(`${path}?user_id=${user.id}`)).status).toBe(200);
    expect(await bookNow()).toMatchObject({
      rating: { numRaters: 3, average: '5.3' },
      tags: [
        { count: 4, name: '小说' },
        { count: 1, name: 'b' },
      ],
    });
    await user.put(path, { status: 'read', privacy: 'private', tags: 'b' });
    expect(await bookNow()).toMatchObject({
      rating: { numRaters: 2, average: '7.0' },
      tags: [{ count: 3, name: '小说' }],
    });
  });

  it('400: rejects what POST rejects, and changes nothing', async () => {
    const { body } = await user.post(path, { status: 'read', rating: 4 });
    expectRefused(await user.put(path, { rating: 1 }), 400, 1002);
    const long = { status: 'wish', comment: 'a'.repeat(351) };
    expectRefused(await user.put(path, long), 400, 6010);
    expect((await user.get(path)).body).toEqual(body);
  });

  itNeedsAUser('book_basic_w', () => ({ harness, method: 'PUT', path, userId: user.id }));

  it('404: returns 1001 for a book that is not collected, 6000 for an unknown book', async () => {
    expectRefused(await user.put(path, { status: 'read' }), 404, 1001);
    expectRefused(await user.get(path), 404, 1001);
    expectRefused(await user.put('/v2/book/1/collection', { status: 'read' }), 404, 6000);
  });

  it("another user's collection is unchanged", async () => {
    const other = await another();
    const { body } = await other.post(path, { status: 'read', rating: 5 });
    await user.post(path, { status: 'wish' });
    await user.put(path, { status: 'read', rating: 1 });
    const now = (await other.get(path)).body;
    expect({ ...now, book: 0 }).toEqual({ ...body, book: 0 });
  });
});

describe('DELETE /v2/book/:id/collection', () => {
  it('204: deletes the collection, and the counters of the book are as before', async () => {
    const before = await bookNow();
    await user.post(path, { status: 'read', rating: 5, tags: 'a 小说' });
    const response = await user.remove(path);
    expect([response.status, response.text]).toEqual([204, '']);
    expectRefused(await user.get(path), 404, 1001);
    expect(await bookNow()).toEqual(before);
    expect((await user.post(path, { status: 'wish' })).status).toBe(201);
  });

  itNeedsAUser('book_basic_w', () => ({ harness, method: 'DELETE', path, userId: user.id }));

  it('404: returns 1001 for a book that the caller has not collected, 6000 for an unknown book', async () => {
    const other = await another();
    await other.post(path, { status: 'read' });
    expectRefused(await user.remove(path), 404, 1001);
    expect((await other.get(path)).status).toBe(200);
    expectRefused(await user.remove('/v2/book/1/collection'), 404, 6000);
  });
});
