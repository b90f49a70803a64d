import { SampleService } from '../../../src/sample/sample.service';
import { startHarness, type Harness } from '../../harness';
import { BASE_URL } from '../../settings';

describe('films of the sample', () => {
  let harness: Harness;
  let advance: string;
  let premium: string;

  beforeAll(async () => {
    harness = await startHarness();
    await harness.app.get(SampleService, { strict: false }).load();
    advance = await harness.token({ scopes: ['movie_advance_r'] });
    premium = await harness.token({ scopes: ['movie_premium_r'] });
  });
  afterAll(() => harness.close());

  /** The body of a 200. */
  const get = async (path: string, token?: string): Promise<Record<string, unknown>> => {
    const { status, body } = await harness.call(`/v2/movie/${path}`, { token });
    expect([path, status]).toEqual([path, 200]);
    return body as Record<string, unknown>;
  };
  const names = (people: unknown): string[] =>
    (people as { name: string }[]).map(({ name }) => name);
  const titles = (list: unknown): string[] =>
    (list as { title: string }[]).map(({ title }) => title);

  it('200: a film has its people, photos and reviews', async () => {
    const film = await get('subject/1002', advance);
    expect(film).toMatchObject({ title: '霸王别姬', year: '1993', subtype: 'movie' });
    expect(names(film.directors)).toEqual(['陈凯歌']);
    expect(names(film.casts)).toEqual(['张国荣', '张丰毅', '巩俐', '葛优']);
    expect(names(film.writers)).toEqual(['芦苇', '李碧华']);
    expect(film.photos).toHaveLength(4);
    expect(titles(film.popular_reviews)).toEqual(['一字之差', '段小楼没有错']);
    expect(film).toMatchObject({ reviews_count: 2, comments_count: 3 });
  });

  it('200: a series has its own members', async () => {
    const film = await get('subject/1034');
    expect(film).toMatchObject({ title: '请回答1988', subtype: 'tv', episodes_count: 20 });
  });

  it('200: a celebrity has works, the most popular first', async () => {
    const person = await get('celebrity/2031');
    expect(person.name).toBe('宫崎骏');
    expect(titles(person.works)).toEqual(['千与千寻', '龙猫']);
    const { works, total } = await get('celebrity/2031/works', advance);
    expect(total).toBe(2);
    expect(works).toMatchObject([
      { roles: ['导演', '编剧'], subject: { title: '千与千寻' } },
      { roles: ['导演', '编剧'], subject: { title: '龙猫' } },
    ]);
  });

  it('200: every chart has films', async () => {
    const top = await get('top250?count=100');
    expect(top.total).toBe(32);
    expect(titles(top.subjects).slice(0, 2)).toEqual(['肖申克的救赎', '霸王别姬']);
    expect((await get('us_box')).subjects).toHaveLength(10);
    expect((await get('weekly', advance)).subjects).toHaveLength(10);
    expect((await get('new_movies', advance)).subjects).toHaveLength(8);
    expect(await get('coming_soon', premium)).toMatchObject({ total: 8 });
    for (const [city, total] of [
      ['北京', 8],
      ['108296', 7],
      ['广州', 6],
    ] as const) {
      const path = `in_theaters?city=${encodeURIComponent(city)}`;
      expect(await get(path, premium)).toMatchObject({ total });
    }
  });

  it('200: search finds films by title, original title and people', async () => {
    for (const [q, title] of [
      ['春光', undefined],
      ['重慶', '重庆森林'],
      ['Inception', '盗梦空间'],
      ['Edward Yang', '一一'],
      ['杨德昌', '一一'],
    ]) {
      const { subjects } = await get(`search?q=${encodeURIComponent(String(q))}`);
      expect([q, titles(subjects)[0]]).toEqual([q, title]);
    }
  });

  it('200: posters, portraits and photos exist in every size, also the default ones', async () => {
    const film = (await get('subject/1007', advance)) as {
      images: Record<string, string>;
      photos: Record<string, string>[];
      casts: { avatars: Record<string, string> }[];
    };
    const celebrity = (await get('celebrity/2031')) as { avatars: Record<string, string> };
    const [photo = {}] = film.photos;
    const pictures = [
      ...Object.values(film.images),
      ...Object.values(celebrity.avatars),
      // The first person of the cast has no portrait.
      ...Object.values(film.casts[0]?.avatars ?? {}),
      ...['icon', 'thumb', 'cover', 'image'].map((size) => String(photo[size])),
      ...['s', 'm', 'l'].map((size) => `${BASE_URL}/pictures/sample/default/movie-${size}.jpg`),
    ];
    expect(new Set(pictures).size).toBe(16);
    for (const picture of pictures) {
      expect(picture.startsWith(`${BASE_URL}/pictures/sample/`)).toBe(true);
      const { status, headers } = await harness.call(picture.slice(BASE_URL.length));
      expect([picture, status, headers.get('content-type')]).toEqual([picture, 200, 'image/jpeg']);
    }
  });
});
