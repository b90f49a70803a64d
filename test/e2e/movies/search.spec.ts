import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { expectError, itIsPaged, itRefusesMalformedPages, statementsOf, walk } from '../guarantees';

const TOTAL = 120;
const PATH = '/v2/movie/search';

let harness: Harness;
let make: MovieFactories;
let token: string;
let many: number[];
beforeAll(async () => {
  harness = await startHarness();
  make = new MovieFactories(harness.database);
  token = await harness.token({ scopes: ['movie_advance_r'] });
  many = await make.subjects(TOTAL, (at) => ({
    title: `流浪 ${at}`,
    genres: ['科幻'],
    collect_count: TOTAL - at,
  }));
});
afterAll(() => harness.close());

const find = async (query: Record<string, string>, as: string | undefined = token) => {
  const { status, body } = await harness.call(`${PATH}?${new URLSearchParams(query).toString()}`, {
    token: as,
  });
  expect(status).toBe(200);
  return body;
};
const idsOf = (body: { subjects: { id: string }[] }): number[] =>
  body.subjects.map(({ id }) => Number(id));

describe('GET /v2/movie/search', () => {
  const list = () => ({
    ...{ harness, path: `${PATH}?q=${encodeURIComponent('流浪')}`, member: 'subjects', token },
    ...{ total: TOTAL, extra: ['query', 'tag'] },
  });

  describe('200', () => {
    itIsPaged(list);

    it('finds by title, other titles and people, in any script, width and case (D28)', async () => {
      const id = await make.aSubject({
        title: '霸王別姬',
        original_title: 'Ｆａｒｅｗｅｌｌ',
        aka: ['再见，我的妾'],
        directors: [{ id: 4001, name: '陈凯歌', name_en: 'Kaige Chen' }],
        casts: [{ name: '张国荣' }],
        writers: [{ name: '李碧华' }],
      });
      const found: unknown[] = [];
      const words = ['霸王别姬', '王', 'farewell', '我的妾', '陳凱歌', 'KAIGE', '国荣', '碧华'];
      for (const q of words) found.push([q, idsOf(await find({ q })).includes(id)]);
      expect(found).toEqual(words.map((q) => [q, true]));
    });

    it('orders exact titles, then prefixes, then substrings, each by popularity', async () => {
      const [inside, begins, exact, known] = await make.subjects(4, (at) => ({
        title: ['大话西游记', '西游记后传', '西游记', '西游记续集'][at],
        collect_count: [900, 1, 1, 500][at],
      }));
      expect(idsOf(await find({ q: '西游记' }))).toEqual([exact, known, begins, inside]);
    });

    it('finds by tag and by genre, and by words and tag together', async () => {
      const [both, other] = await make.subjects(2, (at) => ({
        title: ['标签片', '标签剧'][at],
        tags: ['经典'],
        genres: at === 0 ? ['武侠'] : [],
      }));
      expect(idsOf(await find({ tag: '經典' })).sort()).toEqual([both, other].sort());
      expect(idsOf(await find({ tag: '武侠' }))).toEqual([both]);
      expect(idsOf(await find({ q: '标签', tag: '武侠' }))).toEqual([both]);
      expect((await find({ q: '无此', tag: '武侠' })).total).toBe(0);
    });

    it('finds a subject by the current names of its people', async () => {
      const id = await make.aSubject({ title: '改名', directors: [{ id: 4002, name: '旧名' }] });
      await make.aCelebrity({ id: 4002, name: '新名' });
      expect(idsOf(await find({ q: '新名' }))).toEqual([id]);
    });

    it('returns the parameters; absent ones are empty', async () => {
      expect(await find({ q: ' 流浪 0 ' })).toMatchObject({ query: '流浪 0', tag: '' });
      expect(await find({ tag: '没有' })).toMatchObject({ query: '', tag: '没有', total: 0 });
    });

    it.each(["%'_\\", '(a & b', '!:*', '\u0000x'])('treats operators as text: %j', async (q) => {
      expect((await find({ q })).total).toBe(0);
    });

    it('runs the same statements for 1 element as for 100', async () => {
      const few = await statementsOf(harness, `${list().path}&count=1`, token);
      const all = await statementsOf(harness, `${list().path}&count=100`, token);
      expect([few.count, all.count]).toEqual([1, 100]);
      expect(all.names).toEqual(few.names);
    });
  });

  describe('200 in the basic tier (specification section 8, D37)', () => {
    const PAGES = [
      ['', 20],
      ['&count=100', 20],
      ['&start=15&count=20', 5],
      ['&start=19&count=1', 1],
      ['&start=20&count=20', 0],
      ['&start=9007199254740991', 0],
    ] as const;
    it.each(PAGES)('"%s" returns %d of at most 20', async (query, count) => {
      const { body, status } = await harness.call(list().path + query);
      expect(status).toBe(200);
      expect(body).toMatchObject({ count, total: 20 });
      expect(body.subjects).toHaveLength(count);
    });

    it('has exactly the first twenty results of the other tiers', async () => {
      const basic = await walk({ ...list(), token: undefined }, 7);
      expect(basic.map(({ id }) => Number(id))).toEqual(many.slice(0, 20));
    });

    it('limits searches by tag, too; shorter results are complete', async () => {
      const { body } = await harness.call(`${PATH}?tag=${encodeURIComponent('科幻')}`);
      expect(body.total).toBe(20);
      await make.aSubject({ title: '独一无二' });
      const one = await harness.call(`${PATH}?q=${encodeURIComponent('独一无二')}`);
      expect(one.body).toMatchObject({ count: 1, total: 1 });
    });
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
    it.each(['', '?q=', '?tag=', '?q=&tag=', '?q=%20', '?start=1'])(
      'returns 1002 for "%s" (D37)',
      async (query) => {
        expectError(await harness.call(PATH + query, { token }), 400, 1002, 'missing_args');
      },
    );
  });
});
