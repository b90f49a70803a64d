import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  expectMalformed,
  itIsPaged,
  itNeedsScope,
  itRefusesMalformedPages,
  itSelectsFields,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { BOOK, COLLECTION, membersOf, TIMESTAMP } from './shapes';

describe('GET /v2/book/user/:name/collections', () => {
  let harness: Harness;
  let make: Factories;
  /** A user with a collection of each kind, by a word of its comment. */
  let reader: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    const { id } = await make.aUser({ uid: 'collector' });
    // Three times of update: long runs of ties.
    await make.collections(id, await make.books(105), (at) => ({
      updated: `2013-12-2${at % 3} 22:09:04`,
    }));
    reader = (await make.aUser()).id;
    const kinds = [
      { comment: 'wished', status: 'wish', tags: ['小说'], updated: '2013-12-25 22:09:01' },
      { comment: 'reading', status: 'reading', rating: '3', updated: '2013-12-25 22:09:02' },
      { comment: 'good', rating: '5', tags: ['小说', '经典'], updated: '2013-12-25 22:09:03' },
      { comment: 'bad', rating: '1', tags: ['小'], updated: '2013-12-25 22:09:04' },
    ];
    await make.collections(reader, await make.books(4), (at) => {
      const { rating, ...kind } = kinds[at] ?? {};
      return { ...kind, rating: { value: rating ?? '0' } };
    });
  });
  afterAll(() => harness.close());

  const path = '/v2/book/user/collector/collections';
  const list = () => ({ harness, path, member: 'collections', total: 105 });
  const get = (name: string | number, query = '', token?: string) =>
    harness.call(`/v2/book/user/${name}/collections?${query}`, { token });

  /** Comments of the reader's collections that a filter leaves, newest first. */
  const left = async (filter: string): Promise<string[]> => {
    const { status, body } = await get(reader, filter);
    expect(status).toBe(200);
    expect(body.count).toBe(body.total);
    return body.collections.map(({ comment }: { comment: string }) => comment);
  };
  const ALL = ['bad', 'good', 'reading', 'wished'];

  describe('200', () => {
    itIsPaged(list);

    it('has collections of section 2.4 with complete books in them', async () => {
      const { id: user_id, uid } = await make.aUser();
      const wire = { user_id, status: 'reading', rating: 4, comment: '好', tags: ['b', 'a'] };
      const { id, book_id } = await make.aCollection({ ...wire, updated: '2014-01-02 03:04:05' });
      for (const name of [user_id, uid]) {
        const { status, body } = await get(name);
        expect(status).toBe(200);
        const [collection] = body.collections;
        expect(membersOf(collection)).toEqual(COLLECTION);
        expect(membersOf(collection.book)).toEqual(BOOK);
        expect(collection).toMatchObject({
          book: { id: String(book_id), rating: { numRaters: 1, average: '8.0' } },
          book_id: String(book_id),
          comment: '好',
          id,
          rating: { max: 5, min: 0, value: '4' },
          status: 'reading',
          tags: ['b', 'a'],
          updated: '2014-01-02 03:04:05',
          user_id: String(user_id),
        });
      }
    });

    it('writes unset members as in D10', async () => {
      const { user_id } = await make.aCollection({ status: 'wish' });
      const [collection] = (await get(user_id)).body.collections;
      expect(collection).toMatchObject({ comment: '', tags: [], rating: { value: '0' } });
      expect(collection.updated).toMatch(TIMESTAMP);
    });

    it('has the same order on pages of any size', async () => {
      const idsBy = async (count: number) => (await walk(list(), count)).map(({ id }) => id);
      expect(await idsBy(7)).toEqual(await idsBy(100));
    });

    it.each([
      ['', ALL],
      ['status=&tag=&from=&to=&rating=', ALL],
      ['status=wish', ['wished']],
      ['status=reading', ['reading']],
      ['status=doing', ['reading']],
      ['status=read', ['bad', 'good']],
      ['status=done', ['bad', 'good']],
      ['rating=1', ['bad']],
      ['rating=3', ['reading']],
      ['rating=5', ['good']],
      ['rating=2', []],
      ...['0', '6', '-1', '2.5', 'five', '1e0', '99999999999999999999'].map(
        (rating): [string, string[]] => [`rating=${rating}`, ALL],
      ),
      ['tag=%E5%B0%8F%E8%AF%B4', ['good', 'wished']],
      ['tag=%E5%B0%8F', ['bad']],
      ['tag=%25', []],
      ['tag=%27', []],
      ['tag=%E5%B0%8F%E8%AF%B4&status=read&rating=5', ['good']],
      ['tag=%E5%B0%8F%E8%AF%B4&rating=1', []],
    ])('"%s" returns %j', async (filter, expected) => {
      expect(await left(filter)).toEqual(expected);
    });

    it.each([
      // The boundaries themselves are inside; times are in +08:00 (D1).
      ['from=2013-12-25T22:09:03%2B08:00', ['bad', 'good']],
      ['from=2013-12-25T22:09:04%2B08:00', ['bad']],
      ['from=2013-12-25T22:09:05%2B08:00', []],
      ['to=2013-12-25T22:09:01%2B08:00', ['wished']],
      ['to=2013-12-25T22:09:00%2B08:00', []],
      ['from=2013-12-25T22:09:02%2B08:00&to=2013-12-25T22:09:03%2B08:00', ['good', 'reading']],
      ['from=2013-12-25T14:09:03Z', ['bad', 'good']],
      ['from=2013-12-25t14:09:03z', ['bad', 'good']],
      ['from=2013-12-25T14:09:03.000Z&to=2013-12-25T14:09:03.999Z', ['good']],
      ['from=2013-12-25T14:09:03.001Z', ['bad']],
      ['from=2013-12-25T04:09:04-10:00', ['bad']],
      ['from=2013-12-26T03:54:03%2B13:45', ['bad', 'good']],
      ['from=2013-12-25T22:09:04+08:00', ['bad']],
      ['from=2013-12-26T00:00:00Z&to=2013-12-25T00:00:00Z', []],
      ['from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', ALL],
    ])('"%s" returns %j', async (filter, expected) => {
      expect(await left(filter)).toEqual(expected);
    });

    it.each(['%00', 'a%00b', '%ED%A0%80', '%ZZ'])('accepts tag=%s', async (tag) => {
      expect((await get(reader, `tag=${tag}`)).status).toBeLessThan(500);
    });

    it('total counts the collections that match the filter, on every page', async () => {
      const { body } = await get(reader, 'status=read&count=1&start=1');
      expect(body).toMatchObject({ start: 1, count: 1, total: 2 });
      expect(body.collections[0].comment).toBe('good');
    });

    it('excludes private collections from elements and total, except for their owner (D21)', async () => {
      const { id } = await make.aUser();
      const [open, hidden] = await make.collections(id, await make.books(2), (at) => ({
        privacy: at === 1 ? 'private' : 'public',
        tags: [`tag${at}`],
      }));
      const stranger = await harness.token({ userId: (await make.aUser()).id });
      for (const token of [undefined, await harness.token(), stranger]) {
        const { body } = await get(id, '', token);
        expect(body).toMatchObject({ count: 1, total: 1, collections: [{ id: open }] });
        expect((await get(id, 'tag=tag1', token)).body).toMatchObject({ count: 0, total: 0 });
      }
      const own = await harness.token({ userId: id });
      const { body } = await get(id, '', own);
      expect(body).toMatchObject({ count: 2, total: 2 });
      expect((await get(id, 'tag=tag1', own)).body.collections).toMatchObject([{ id: hidden }]);
    });

    it('runs the same statements for 1 collection as for 100', async () => {
      const token = await harness.token({ userId: (await make.aUser()).id });
      for (const caller of [undefined, token]) {
        const few = await statementsOf(harness, `${path}?count=1`, caller);
        const many = await statementsOf(harness, `${path}?count=100`, caller);
        expect([few.count, many.count]).toEqual([1, 100]);
        expect(many.names).toEqual(few.names);
      }
    });

    it('is empty for a user without collections', async () => {
      const { body } = await get((await make.aUser()).uid);
      expect(body).toEqual({ start: 0, count: 0, total: 0, collections: [] });
    });

    itSelectsFields(() => ({ ...list(), members: COLLECTION, two: ['book_id', 'status'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);

    const times = ['2013-12-25', '2013-12-25T22:09', '2013-12-25 22', 'now', '1387980544'];
    times.push('2013-13-01T00:00:00Z', '2013-02-29T00:00:00Z', '2013-12-25T24:00:00Z');
    times.push('2013-12-25T22:09:04%2B25:00', '2013-12-25T22:09Z', '0000-01-01T00:00:00Z');
    it.each([
      ...['collect', 'WISH', 'wish,read', '__proto__', '1'].map((value) => `status=${value}`),
      ...times.flatMap((value) => [`from=${value}`, `to=${value}`]),
      'status=wish&status=read',
      'rating=1&rating=2',
      'tag=a&tag=b',
    ])('rejects %s', async (filter) => {
      expectMalformed(await get(reader, filter));
    });
  });

  describe('403', () => {
    itNeedsScope('book_basic_r', () => ({ harness, path }));
  });

  describe('404', () => {
    it.each([...UNKNOWN_IDS, 'nobody'])('returns 6008 for the unknown user %s', async (name) => {
      expectError(await get(name), 404, 6008, 'people_not_found');
    });
  });
});
