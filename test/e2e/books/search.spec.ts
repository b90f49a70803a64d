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
  walk,
} from '../guarantees';
import { BOOK, EMBEDDED_COLLECTION, membersOf } from './shapes';

const encoded = (text: string): string => encodeURIComponent(text);

describe('GET /v2/book/search', () => {
  let harness: Harness;
  let make: Factories;
  beforeAll(async () => {
    harness = await startHarness();
    make = new Factories(harness.database);
    // Same titles, three popularities: long runs of ties.
    await make.books(105, (at) => ({
      title: '翻页',
      rating: { numRaters: at % 3, average: '7.0' },
      tags: [{ name: '页', count: 1 + (at % 2) }],
    }));
  });
  afterAll(() => harness.close());

  const path = `/v2/book/search?q=${encoded('翻页')}`;
  const list = () => ({ harness, path, member: 'books', total: 105 });
  const get = (query: string, token?: string) =>
    harness.call(`/v2/book/search?${query}`, { token });
  /** Ids of what a query finds, in order. */
  const find = async (query: string): Promise<number[]> => {
    const { status, body } = await get(`${query}&count=100&fields=id`);
    expect([query, status]).toEqual([query, 200]);
    expect(body.total).toBe(body.count);
    return body.books.map(({ id }: { id: string }) => Number(id));
  };
  const findWords = (q: string): Promise<number[]> => find(`q=${encoded(q)}`);
  const titles = (names: string[], wire: (at: number) => object = () => ({})) =>
    make.books(names.length, (at) => ({ title: names[at], ...wire(at) }));

  describe('200', () => {
    itIsPaged(list);

    it('has complete books of section 2.1 in the list of section 4.1', async () => {
      const id = await make.aBook({ title: '完整的书', author: ['某人'] });
      const { status, body } = await get(`q=${encoded('完整的书')}`);
      expect(status).toBe(200);
      expect(membersOf(body)).toEqual(['books', 'count', 'start', 'total']);
      expect(membersOf(body.books[0])).toEqual(BOOK);
      const book = { id: String(id), title: '完整的书', author: ['某人'] };
      expect(body).toMatchObject({ start: 0, count: 1, total: 1, books: [book] });
    });

    it('is empty when nothing matches', async () => {
      const { status, body } = await get(`q=${encoded('没有这样的书名')}`);
      expect(status).toBe(200);
      expect(body).toEqual({ start: 0, count: 0, total: 0, books: [] });
    });

    it('tag without q matches exactly and without wildcards', async () => {
      const tags = (name: string, count = 1) => ({ tags: [{ name, count }] });
      const [one, two] = await make.books(2, () => tags('科幻小说'));
      await make.aBook(tags('科幻'));
      await make.aBook({ title: '科幻小说' });
      expect((await find(`tag=${encoded('科幻小说')}`)).sort()).toEqual([one, two]);
      for (const tag of ['科_小说', '科幻%', '%', "科幻小说'"]) {
        expect(await find(`tag=${encoded(tag)}`)).toEqual([]);
      }
    });

    it('finds tags of public collections, not of private ones (D21)', async () => {
      const { book_id } = await make.aCollection({ tags: ['公开标签'] });
      await make.aCollection({ tags: ['公开标签'], privacy: 'private' });
      expect(await find(`tag=${encoded('公开标签')}`)).toEqual([book_id]);
    });

    it('requires both when q and tag are present', async () => {
      const tags = [{ name: '双', count: 1 }];
      const [both] = await titles(['两者都有'], () => ({ tags }));
      await titles(['两者缺一']);
      await titles(['只有标签'], () => ({ tags }));
      expect(await find(`q=${encoded('两者')}&tag=${encoded('双')}`)).toEqual([both]);
      expect(await find(`q=${encoded('两者')}&tag=${encoded('单')}`)).toEqual([]);
      expect(await findWords('两者')).toHaveLength(2);
      expect(await find(`q=&tag=${encoded('双')}`)).toHaveLength(2);
    });

    it.each(['翻页', ''])('pages by tag have every book exactly once, with q="%s"', async (q) => {
      const query = `/v2/book/search?tag=${encoded('页')}&q=${encoded(q)}`;
      const books = await walk({ harness, path: query, member: 'books' });
      expect(new Set(books.map(({ id }) => id as string)).size).toBe(105);
    });

    it('excludes magazines (section 2.1)', async () => {
      const tags = [{ name: '期刊标签', count: 5 }];
      await make.aBook({ kind: 'magazine', title: '期刊杂志', tags });
      expect(await findWords('期刊杂志')).toEqual([]);
      expect(await find(`tag=${encoded('期刊标签')}`)).toEqual([]);
    });

    it("includes the caller's collection in the books that have one", async () => {
      const tags = [{ name: '我的', count: 1 }];
      const ids = await titles(['我收藏的', '我收藏的没有'], () => ({ tags }));
      const wire = { book_id: ids[0], privacy: 'private', rating: 5 };
      const { id, user_id } = await make.aCollection(wire);
      await make.aCollection({ book_id: ids[1] });
      const token = await harness.token({ userId: user_id });
      const q = `q=${encoded('我收藏的')}`;
      for (const query of [q, `tag=${encoded('我的')}`, `${q}&tag=${encoded('我的')}`]) {
        const { books } = (await get(query, token)).body;
        const own = books.filter((book: object) => 'current_user_collection' in book);
        expect(own).toMatchObject([{ id: String(ids[0]), current_user_collection: { id } }]);
        expect(membersOf(own[0].current_user_collection)).toEqual(EMBEDDED_COLLECTION);
        expect(books).toHaveLength(2);
        for (const other of [undefined, await harness.token()]) {
          expect((await get(query, other)).text).not.toContain('current_user_collection');
        }
      }
    });

    it('runs the same statements for 1 book as for 100', async () => {
      const token = await harness.token({ userId: (await make.aUser()).id });
      const tag = `tag=${encoded('页')}`;
      for (const query of [path, `${path}&${tag}`, `/v2/book/search?${tag}`]) {
        for (const caller of [undefined, token]) {
          const few = await statementsOf(harness, `${query}&count=1`, caller);
          const many = await statementsOf(harness, `${query}&count=100`, caller);
          expect([few.count, many.count]).toEqual([1, 100]);
          expect(many.names).toEqual(few.names);
        }
      }
    });

    it('a count beyond 64 bits is 100 (D3)', async () => {
      const { status, body } = await harness.call(`${path}&count=100000000000000000000`);
      expect([status, body.count]).toEqual([200, 100]);
    });

    it('returns JSONP for a callback (D6)', async () => {
      const { text } = await harness.call(`${path}&count=0&callback=cb`);
      expect(text).toBe('cb({"start":0,"count":0,"total":105,"books":[]});');
    });

    itSelectsFields(() => ({ ...list(), members: BOOK, two: ['title', 'rating'] }));
  });

  describe('400', () => {
    itRefusesMalformedPages(list);

    it.each([
      '',
      'q=',
      'tag=',
      'q=&tag=',
      'q=%20%0A',
      'q=%E3%80%80',
      'tag=%20',
      'q=%00',
      'query=a',
    ])('returns 1002 when q and tag are missing or empty: "%s"', async (query) =>
      expectError(await get(query), 400, 1002, 'missing_args'),
    );
    it.each(['q=a&q=b', 'tag=a&tag=b'])('rejects %s', async (query) => {
      expectMalformed(await get(query));
    });
  });

  describe('403', () => {
    itNeedsScope('book_basic_r', () => ({ harness, path }));
  });
});
