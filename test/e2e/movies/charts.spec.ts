import { MovieFactories } from '../../factories/movies';
import { startHarness, type Harness } from '../../harness';
import { expectError, itIsPaged, itRefusesMalformedPages, statementsOf } from '../guarantees';

const TOTAL = 120;

let harness: Harness;
let make: MovieFactories;
let advance: string;
let premium: string;
let subjects: number[];
let beijing: number;
beforeAll(async () => {
  harness = await startHarness({ settings: { CHART_TITLE_WEEKLY: '口碑' } });
  make = new MovieFactories(harness.database);
  advance = await harness.token({ scopes: ['movie_advance_r'] });
  premium = await harness.token({ scopes: ['movie_premium_r'] });
  subjects = await make.subjects(TOTAL);
  beijing = await make.aCity('北京', 'beijing');
});
afterAll(() => harness.close());

const first = (count: number): number[] => subjects.slice(0, count);
const idsOf = (all: { id: string }[]): number[] => all.map(({ id }) => Number(id));
const get = async (chart: string, token?: string) => {
  const { status, body } = await harness.call(`/v2/movie/${chart}`, { token });
  expect(status).toBe(200);
  return body;
};

describe('charts without a snapshot', () => {
  it('are empty, with their titles (D36)', async () => {
    const none = { subjects: [] };
    const paged = { start: 0, count: 0, total: 0, subjects: [] };
    expect(await get('top250')).toEqual({ ...paged, title: '电影Top250' });
    expect(await get('us_box')).toEqual({ ...none, title: '北美票房榜', date: '' });
    expect(await get('weekly', advance)).toEqual({ ...none, title: '口碑' });
    expect(await get('new_movies', advance)).toEqual({ ...none, title: '新片榜' });
    expect(await get('coming_soon', premium)).toEqual({ ...paged, title: '即将上映的电影' });
    const title = '正在上映的电影-北京';
    expect(await get('in_theaters', premium)).toEqual({ ...paged, title });
  });
});

const PAGED = [
  { chart: 'top250', usual: 10 },
  { chart: 'coming_soon', usual: 20 },
  { chart: 'in_theaters', usual: 20 },
] as const;

describe.each(PAGED)('GET /v2/movie/$chart', ({ chart, usual }) => {
  const list = () => ({
    ...{ harness, path: `/v2/movie/${chart}`, member: 'subjects', total: TOTAL, usual },
    ...{ extra: ['title'], token: chart === 'top250' ? undefined : premium },
  });
  beforeAll(async () => {
    const city = chart === 'in_theaters' ? beijing : null;
    await make.aChart(chart, first(3), { city, date: '2020-02-01' });
    await make.aChart(chart, [...subjects].reverse(), { city, date: '2020-02-09' });
    await make.aChart(chart, first(5), { city, date: '2020-02-08' });
  });

  describe('200', () => {
    itIsPaged(list);

    it('is the latest snapshot, ordered by rank (D36)', async () => {
      const { body } = await harness.call(`${list().path}?count=100`, list());
      expect(idsOf(body.subjects)).toEqual([...subjects].reverse().slice(0, 100));
    });

    it('runs the same statements for 1 element as for 100', async () => {
      const few = await statementsOf(harness, `${list().path}?count=1`, list().token);
      const many = await statementsOf(harness, `${list().path}?count=100`, list().token);
      expect([few.count, many.count]).toEqual([1, 100]);
      expect(many.names).toEqual(few.names);
    });
  });

  describe('400', () => {
    itRefusesMalformedPages(list);
  });
});

describe('GET /v2/movie/in_theaters', () => {
  const path = (city: string): string => `in_theaters?city=${encodeURIComponent(city)}`;

  it('200 has the films and the title of a city by name, id or uid', async () => {
    const id = await make.aCity('上海', 'shanghai');
    await make.aChart('in_theaters', first(2), { city: id });
    for (const city of ['上海', String(id), 'shanghai']) {
      const body = await get(path(city), premium);
      expect(body).toMatchObject({ total: 2, title: '正在上映的电影-上海' });
      expect(idsOf(body.subjects)).toEqual(first(2));
    }
  });

  it('200 is empty for a city without a snapshot', async () => {
    await make.aCity('广州', 'guangzhou');
    const body = await get(path('广州'), premium);
    expect(body).toEqual({
      ...{ start: 0, count: 0, total: 0, subjects: [] },
      title: '正在上映的电影-广州',
    });
  });

  it('200 uses the default city when the city is absent or empty', async () => {
    expect((await get('in_theaters?city=', premium)).title).toBe('正在上映的电影-北京');
  });

  it.each(['亚特兰蒂斯', '0', '99999999999999999999', '%00', "'"])(
    '400 returns 1006 for the unknown city %s (D37)',
    async (city) => {
      const response = await harness.call(`/v2/movie/${path(city)}`, { token: premium });
      expectError(response, 400, 1006, 'target_not_fount');
    },
  );
});

describe('GET /v2/movie/us_box', () => {
  it('200 has ranks, box office and the weekend of its date', async () => {
    const [one, two] = subjects;
    const entries = [
      { subject: Number(one), box: 36_000_000 },
      { subject: Number(two), box: 9_007_199_254_740_991 },
    ];
    await make.aChart('us_box', entries, { date: '2017-05-23' });
    const { date, subjects: shown } = await get('us_box', advance);
    expect(date).toBe('5月19日 - 5月21日');
    expect(shown).toEqual([
      expect.objectContaining({ rank: 1, box: 36_000_000, new: false }),
      expect.objectContaining({ rank: 2, box: 9_007_199_254_740_991, new: false }),
    ]);
    expect(idsOf(shown.map((entry: { subject: { id: string } }) => entry.subject))).toEqual([
      ...first(2),
    ]);
  });

  it('200 has the dates of the snapshot', async () => {
    await make.aChart('us_box', [], { date: '2017-06-01', period: '5月26日 - 5月29日' });
    expect(await get('us_box')).toMatchObject({ date: '5月26日 - 5月29日', subjects: [] });
  });
});

describe('GET /v2/movie/weekly', () => {
  it('200 has ranks and their changes (D35)', async () => {
    const entries = first(3).map((subject, at) => ({ subject, delta: 1 - at }));
    await make.aChart('weekly', entries);
    const { subjects: shown, title } = await get('weekly', advance);
    expect(title).toBe('口碑');
    expect(shown.map((entry: Record<string, unknown>) => [entry.rank, entry.delta])).toEqual([
      [1, 1],
      [2, 0],
      [3, -1],
    ]);
  });
});

describe('GET /v2/movie/new_movies', () => {
  it('200 has the complete latest snapshot, without placeholders', async () => {
    await harness.source.query(
      `INSERT INTO subjects (id, title, placeholder) VALUES (66, '', true)`,
    );
    await make.aChart('new_movies', [...first(30), 66], { date: '2020-03-01' });
    expect(idsOf((await get('new_movies', advance)).subjects)).toEqual(first(30));
  });
});
