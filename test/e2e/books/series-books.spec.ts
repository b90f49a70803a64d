import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import {
  expectError,
  itIsPaged,
  itNeedsScope,
  itRefusesMalformedPages,
  itSelectsFields,
  statementsOf,
  UNKNOWN_IDS,
  walk,
} from '../guarantees';
import { BOOK, EMBEDDED_COLLECTION, membersOf } from './shapes';

describe('GET /v2/book/series/:id/books', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    // Two years and none: long runs of ties.
    await make.books(105, (at) => ({
      series: { id: 1, title: '长系列' },
      pubdate: ['2001', '1999', ''][at % 3],
    }));
  });
  afterAll(() => harness.close());

  const path = '/v2/book/series/1/books';
  const list = () => ({ harness, path, member: 'books', total: 105 });

  describe('200', () => {
    itIsPaged(list);

    it('has complete books with the series in them, in the envelope of D25', async () => {
      const id = await make.aBook({ title: '上册', series: { id: 2, title: '两册' } });
      const { status, body } = await harness.call('/v2/book/series/2/books');
      expect(status).toBe(200);
      expect(membersOf(body)).toEqual(['books', 'count', 'start', 'total']);
      expect(body).toMatchObject({ start: 0, count: 1, total: 1 });
      expect(membersOf(body.books[0])).toEqual([...BOOK, 'series'].sort());
      const series = { id: '2', title: '两册' };
      expect(body.books[0]).toMatchObject({ id: String(id), title: '上册', series });
    });

    it('sorts by publication date, books without a date last (D25)', async () => {
      const dates = ['', '2003-11-2', '1997年5月', '2003-2', '1997年12月', '2003-11-10', '2010'];
      await make.books(dates.length, (at) => ({
        series: { id: 3, title: '各年' },
        pubdate: dates[at],
      }));
      const books = await walk({ harness, path: '/v2/book/series/3/books', member: 'books' });
      expect(books.map(({ pubdate }) => pubdate)).toEqual([
        '1997年5月',
        '1997年12月',
        '2003-2',
        '2003-11-2',
        '2003-11-10',
        '2010',
        '',
      ]);
    });

    it('has the same order on pages of any size', async () => {
      const idsBy = async (count: number) =>
        (await walk({ harness, path, member: 'books' }, count)).map(({ id }) => id);
      expect(await idsBy(7)).toEqual(await idsBy(100));
    });

    it('excludes magazines and books of other series (D27)', async () => {
      const series = { id: 4, title: '混合' };
      const id = await make.aBook({ series });
      await make.aBook({ series, kind: 'magazine' });
      const { body } = await harness.call('/v2/book/series/4/books');
      expect(body.books.map((book: { id: string }) => book.id)).toEqual([String(id)]);
      expect(body.total).toBe(1);
    });

    it('is empty for a series without books', async () => {
      await make.aBook({ series: { id: 5, title: '空' }, kind: 'magazine' });
      const { status, body } = await harness.call('/v2/book/series/5/books');
      expect(status).toBe(200);
      expect(body).toEqual({ start: 0, count: 0, total: 0, books: [] });
    });

    it("includes the caller's collection in the books that have one", async () => {
      const [one, other] = await make.books(2, () => ({ series: { id: 6, title: '收藏' } }));
      const { user_id } = await make.aCollection({ book_id: one, status: 'reading', rating: 2 });
      await make.aCollection({ book_id: other });
      const token = await harness.token({ userId: user_id });
      const { body } = await harness.call('/v2/book/series/6/books', { token });
      expect(membersOf(body.books[0].current_user_collection)).toEqual(EMBEDDED_COLLECTION);
      const own = { status: 'reading', user_id: String(user_id), book_id: String(one) };
      expect(body.books[0].current_user_collection).toMatchObject(own);
      expect(body.books[1]).not.toHaveProperty('current_user_collection');
      for (const other of [undefined, await harness.token()]) {
        const { text } = await harness.call('/v2/book/series/6/books', { token: other });
        expect(text).not.toContain('current_user_collection');
      }
    });

    it('runs the same statements for 1 book as for 100', async () => {
      const token = await harness.token({ userId: (await make.aUser()).id });
      for (const caller of [undefined, token]) {
        const few = await statementsOf(harness, `${path}?count=1`, caller);
        const many = await statementsOf(harness, `${path}?count=100`, caller);
        expect([few.count, many.count]).toEqual([1, 100]);
        expect(many.names).toEqual(few.names);
      }
    });

    const members = [...BOOK, 'series'];
    itSelectsFields(() => ({ harness, path, member: 'books', members, two: ['id', 'series'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });

  describe('403', () => {
    itNeedsScope('book_basic_r', () => ({ harness, path }));
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 1001 for the unknown series %s (D25)', async (id) => {
      const response = await harness.call(`/v2/book/series/${id}/books`);
      expectError(response, 404, 1001, 'uri_not_found');
      expect(response.body.request).toBe(`GET /v2/book/series/${id}/books`);
    });
    it('returns 1001 for an unknown series past the first page too', async () => {
      const response = await harness.call('/v2/book/series/999999999/books?start=20&count=0');
      expectError(response, 404, 1001, 'uri_not_found');
    });
    it('returns 1001 for an id that is not a number', async () => {
      expectError(await harness.call('/v2/book/series/a1/books'), 404, 1001, 'uri_not_found');
    });
  });
});
