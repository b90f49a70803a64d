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
import { ANNOTATION, BOOK, membersOf, USER } from './shapes';

const ORDERS = ['collect', 'rank', 'page'];

describe('GET /v2/book/:id/annotations', () => {
  let harness: Harness;
  let make: Factories;
  let long: number;
  /** A book with seven annotations, told apart by chapter. */
  let book: number;
  let author: number;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    author = (await make.aUser()).id;
    long = await make.aBook();
    // Few times, votes and pages: long runs of ties in every order.
    await make.annotations(author, long, 105, (at) => ({
      time: `2012-10-1${at % 2} 09:00:38`,
      votes: at % 3,
      page_no: at % 4,
      chapter: '章',
    }));
    book = await make.aBook();
    const kinds: [chapter: string, page_no: number, votes: number, day: number][] = [
      ['a', 30, 0, 11],
      ['b', 2, 5, 12],
      ['c', 0, 9, 13],
      ['d', 100, 5, 14],
      ['e', 2, 1, 15],
      ['f', 0, 0, 16],
      ['g', 999_999, 5, 10],
    ];
    await make.annotations(author, book, kinds.length, (at) => {
      const [chapter, page_no, votes, day] = kinds[at] ?? [];
      return { chapter, page_no, votes, time: `2012-10-${day} 09:00:38` };
    });
  });
  afterAll(() => harness.close());

  const get = (id: number | string, query = '', token?: string) =>
    harness.call(`/v2/book/${id}/annotations?${query}`, { token });
  const list = () => {
    return { harness, path: `/v2/book/${long}/annotations`, member: 'annotations', total: 105 };
  };
  const chapters = async (query: string): Promise<string> => {
    const { status, body } = await get(book, query);
    expect(status).toBe(200);
    expect(body.count).toBe(body.total);
    return body.annotations.map(({ chapter }: { chapter: string }) => chapter).join('');
  };

  describe('200', () => {
    itIsPaged(list);

    it('has annotations of section 2.5', async () => {
      const { status, body } = await get(book);
      expect(status).toBe(200);
      expect(body).toMatchObject({ start: 0, count: 7, total: 7 });
      for (const annotation of body.annotations) {
        expect(membersOf(annotation)).toEqual(ANNOTATION);
        expect(membersOf(annotation.book)).toEqual(BOOK);
        expect(membersOf(annotation.author_user)).toEqual(USER);
        expect(annotation).toMatchObject({ book_id: String(book), author_id: String(author) });
      }
    });

    it.each([
      // Usefulness, then newest; the default.
      ['', 'cdbgefa'],
      ['order=', 'cdbgefa'],
      ['order=rank', 'cdbgefa'],
      ['order=collect', 'fedcbag'],
    ])('"%s" returns the order %s (D24)', async (query, expected) => {
      expect(await chapters(query)).toBe(expected);
    });

    it('order=page sorts by page number, chapters last (D24)', async () => {
      const { body } = await get(book, 'order=page');
      const pages = body.annotations.map(({ page_no }: { page_no: number }) => page_no);
      expect(pages).toEqual([2, 2, 30, 100, 999_999, 0, 0]);
    });

    it.each(ORDERS)('has every element on exactly one page with order=%s', async (order) => {
      const path = `/v2/book/${long}/annotations?order=${order}`;
      const idsBy = async (count: number) =>
        (await walk({ ...list(), path }, count)).map(({ id }) => id as string);
      const ids = await idsBy(3);
      expect(new Set(ids).size).toBe(105);
      expect(await idsBy(100)).toEqual(ids);
    });

    it.each([
      ['page=2', 'be'],
      ['page=30', 'a'],
      ['page=999999', 'g'],
      ['page=5', ''],
      ['page=', 'cdbgefa'],
      ['page=2&order=collect', 'eb'],
      ['page=002', 'be'],
    ])('%s returns annotations of that page only: %s', async (query, expected) => {
      expect(await chapters(query)).toBe(expected);
    });

    it('writes the content in the format asked for, text by default', async () => {
      const content = '他说 <b>一</b> & <图片1> 见 https://web.test/a?b=1&c=2 完';
      const photos = { '1': 'https://i.test/1.jpg', '3': '/p/3.jpg' };
      const { book_id } = await make.anAnnotation({ content, photos });
      for (const query of ['', 'format=', 'format=text']) {
        expect((await get(book_id, query)).body.annotations[0].content).toBe(content);
      }
      const html = (await get(book_id, 'format=html')).body.annotations[0];
      expect(html.content).toContain('他说 &lt;b&gt;一&lt;/b&gt; &amp; ');
      expect(html.content).toMatch(/<img [^>]*src="https:\/\/i\.test\/1\.jpg"/);
      expect(html.content).not.toMatch(/<图片|<b>/);
      expect(html.abstract).toBe((await get(book_id)).body.annotations[0].abstract);
    });

    it('excludes private annotations from elements and total (D21)', async () => {
      const { id: author_id } = await make.aUser();
      const { id, book_id } = await make.anAnnotation({ author_id });
      await make.anAnnotation({ author_id, book_id, privacy: 1 });
      const stranger = await harness.token({ userId: author });
      for (const token of [undefined, await harness.token(), stranger]) {
        for (const order of ORDERS) {
          const { body } = await get(book_id, `order=${order}`, token);
          expect(body).toMatchObject({ count: 1, total: 1, annotations: [{ id: String(id) }] });
        }
      }
    });

    it("excludes the caller's own private annotations, too (section 4.1)", async () => {
      const { author_id, book_id } = await make.anAnnotation({ privacy: 1 });
      const { status, body } = await get(book_id, '', await harness.token({ userId: author_id }));
      expect(status).toBe(200);
      expect(body).toEqual({ start: 0, count: 0, total: 0, annotations: [] });
    });

    it.each(ORDERS)(
      'runs the same statements for 1 element as for 100 with order=%s',
      async (order) => {
        const path = `/v2/book/${long}/annotations?order=${order}`;
        const few = await statementsOf(harness, `${path}&count=1`);
        const many = await statementsOf(harness, `${path}&count=100`);
        expect([few.count, many.count]).toEqual([1, 100]);
        expect(many.names).toEqual(few.names);
      },
    );

    it('is empty for a book without annotations', async () => {
      const { body } = await get(await make.aBook());
      expect(body).toEqual({ start: 0, count: 0, total: 0, annotations: [] });
    });

    it('returns JSONP for a callback (D6)', async () => {
      const { text } = await get(book, 'count=0&callback=cb');
      expect(text).toBe('cb({"start":0,"count":0,"total":7,"annotations":[]});');
    });

    itSelectsFields(() => ({ ...list(), members: ANNOTATION, two: ['page_no', 'book'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);

    it.each(['votes', 'RANK', 'rank,page', '__proto__', 'rank&order=rank'])(
      'rejects order=%s (D24)',
      async (order) => expectMalformed(await get(book, `order=${order}`)),
    );
    it.each(['xml', 'HTML', 'toString', 'text&format=html'])(
      'rejects format=%s (D24)',
      async (format) => expectMalformed(await get(book, `format=${format}`)),
    );
    it('rejects page given twice', async () => expectMalformed(await get(book, 'page=2&page=3')));
    it.each(['0', '-1', '1.5', 'abc', '1000000', '0000005', '2147483648', '99999999999999999999'])(
      'returns 6012 for page=%s: page must be a positive integer of at most 6 digits (section 7)',
      async (page) => {
        const msg = 'invalid_page_number(should be digit less than 1000000)';
        expectError(await get(book, `page=${page}`), 400, 6012, msg);
      },
    );
  });

  describe('403', () => {
    it('returns 6007 for a magazine without annotations (D27)', async () => {
      expectError(await get(await make.aBook({ kind: 'magazine' })), 403, 6007, 'not_book_request');
    });
    it('returns 6007 for a magazine with annotations (D27)', async () => {
      const magazine = await make.aBook({ kind: 'magazine' });
      await make.anAnnotation({ book_id: magazine });
      expectError(await get(magazine), 403, 6007, 'not_book_request');
    });
    itNeedsScope('book_basic_r', () => ({ harness, path: `/v2/book/${book}/annotations` }));
  });

  describe('404', () => {
    it.each(UNKNOWN_IDS)('returns 6000 for the unknown book %s', async (id) => {
      expectError(await get(id), 404, 6000, 'book_not_found');
      expectError(await get(id, 'page=1&start=20'), 404, 6000, 'book_not_found');
    });
  });
});
