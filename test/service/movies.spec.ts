import { MOVIE_GETS, SEEN } from '../contract/movie-endpoints';
import { seenBy, type TierLetter } from '../contract/movie-shapes';
import { unique, uniqueId } from './client';
import { expectError, expectShape, itCallsAll } from './expectations';
import { ROUTES } from './routes';
import { Stage, type Member } from './stage';

const word = unique();
/** A day in the past, so that its chart hides no chart of the service. */
const DATE = '2001-01-01';
/** Members that are null for films (D34), and for credits without a celebrity. */
const NULLABLE = ['id', 'alt', 'avatars'];
const OF_SERIES = ['do_count', 'seasons_count', 'current_season', 'episodes_count'];
const FILMS = 21;

const stage = new Stage();
let user: Member;
let callers: Record<TierLetter, Member>;
let film: string;
let series: string;
let person: string;
let city: string;
let films: string[];

const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const opinion = (at: number) => ({
  id: uniqueId(),
  author_id: user.id,
  rating: { value: 4, max: 5, min: 0 },
  useful_count: at,
  created_at: '2020-01-02 03:04:05',
});

async function writeChart(name: string, inCity?: string): Promise<void> {
  const { service } = stage;
  const entries = [
    { rank: 1, subject_id: film, box: 5000, new: true, delta: 2 },
    { rank: 2, subject_id: series },
  ];
  const wish = { date: DATE, entries, ...(inCity === undefined ? {} : { city: inCity }) };
  const { status, text } = await service.admin('PUT', `/charts/${name}`, wish);
  if (status !== 202) throw new Error(`${name}: ${status} ${text}`);
  // Charts are listed latest first, and this chart is old.
  const charts = await service.last(`/charts?name=${name}`, 'charts');
  const made = charts.find(
    ({ date, city_id }) => date === DATE && (inCity === undefined || city_id === city),
  );
  stage.atEnd(() => service.admin('DELETE', `/charts/${made.id}`));
}

/** Writes a chart only where the service has none, so that its users see no other chart. */
async function fillChart(name: string, tier: TierLetter): Promise<void> {
  const { body } = await callers[tier].get(`/v2/movie/${name}`);
  if (body.subjects.length === 0) await writeChart(name);
}

beforeAll(async () => {
  const [one, other] = [await stage.person(), await stage.person()];
  const client = await stage.approved(one, ['movie_advance_r', 'movie_premium_r']);
  user = await stage.member(other, client, ['movie_basic_r']);
  callers = {
    B: await stage.member(one, client, ['movie_basic_r']),
    A: await stage.member(one, client, ['movie_advance_r']),
    P: await stage.member(one, client, ['movie_premium_r']),
  };
  const make = (path: string, body: object) => stage.make(path, body);
  person = await make('/celebrities', {
    name: `Person ${word}`,
    professions: ['director'],
    aka: ['Another'],
    aka_en: ['Other'],
    avatars: { medium: 'http://pictures.example/p.jpg' },
  });
  const directors = [{ id: person, name: `Person ${word}` }];
  film = await make('/subjects', {
    title: `Film ${word}`,
    year: '2020',
    pubdates: ['2020-01-01'],
    mainland_pubdate: '2020-02-02',
    genres: ['a', 'b', 'c', 'd'],
    aka: ['Another'],
    countries: ['Somewhere'],
    languages: ['Latin'],
    durations: ['90 min'],
    clip_urls: ['http://films.example/clip'],
    blooper_urls: ['http://films.example/blooper'],
    rating: { average: 8.8 },
    directors,
    writers: directors,
    casts: many(5, (at) => ({ name: `Cast ${at}` })),
    trailer_urls: many(5, (at) => `http://films.example/${at}`),
    tags: [`tag${word}`],
    popular_reviews: many(11, (at) => ({ ...opinion(at), title: 'T', summary: '字'.repeat(200) })),
    popular_comments: many(2, (at) => ({ ...opinion(at), content: '字'.repeat(200) })),
  });
  series = await make('/subjects', {
    title: `Series ${word}`,
    subtype: 'tv',
    seasons_count: 3,
    current_season: 2,
    episodes_count: 10,
    do_count: 4,
    directors,
  });
  films = [film, series];
  for (let at = films.length; at < FILMS; at += 1) {
    films.push(await make('/subjects', { title: `Film ${at} ${word}`, directors }));
  }
  for (let at = 0; at < 12; at += 1) {
    const owner = at < 11 ? { subject_id: film } : { celebrity_id: person };
    await make('/photos', {
      ...owner,
      image: `http://pictures.example/${at}.jpg`,
      created_at: '2020-01-02 03:04:05',
      author_id: user.id,
    });
  }
  city = await make('/locs', { name: `City ${word}`, uid: word });
  for (const name of ['top250', 'us_box', 'weekly', 'new_movies']) await fillChart(name, 'A');
  await fillChart('coming_soon', 'P');
  await writeChart('in_theaters', word);
});
afterAll(() => stage.close());

/** The address of an endpoint, with ids of this file's records. */
function addressOf(path: string, query = ''): string {
  const id = path.includes('celebrity') ? person : film;
  const needed = path.endsWith('/search')
    ? `q=${word}`
    : path.endsWith('in_theaters')
      ? `city=${word}`
      : '';
  return `${path.replace(':id', id)}?${[needed, query].filter((one) => one !== '').join('&')}`;
}
const idsOf = (all: { id: string }[]): string[] => all.map(({ id }) => id);

describe('every endpoint, in every tier (sections 2.7 to 2.9 and 4.3)', () => {
  it.each(SEEN)('200: $path for tier $tier has the members of that tier', async (row) => {
    const response = await callers[row.tier].get(addressOf(row.path));
    const nullable = [...OF_SERIES, ...NULLABLE];
    const body = expectShape(response, 200, seenBy(row.tier, row.response), nullable);
    // No list is empty, so that the shapes of elements were checked.
    const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
    expect(lists.filter(([, list]) => (list as unknown[]).length === 0)).toEqual([]);
  });

  it.each(MOVIE_GETS)('403: $path is open to the tiers $tiers only', async (row) => {
    const address = addressOf(row.path);
    for (const tier of ['B', 'A', 'P'] as const) {
      if (!row.tiers.includes(tier)) expectError(await callers[tier].get(address), 403, 1000);
    }
    const nobody = await stage.nobody('GET', address);
    if (row.tiers.includes('B')) {
      expectShape(nobody, 200, seenBy('B', row.response), [...OF_SERIES, ...NULLABLE]);
    } else expectError(nobody, 403, 1000);
  });

  it.each(MOVIE_GETS.filter(({ count }) => count !== undefined))(
    '200, 400: $path has $count elements by default, and rejects malformed pages',
    async ({ path, tiers, count = 0, response }) => {
      const caller = callers[tiers.includes('A') ? 'A' : 'P'];
      const member = Object.keys(response).find((name) => Array.isArray(response[name])) ?? '';
      const { body } = await caller.get(addressOf(path));
      expect([body.start, body.count]).toEqual([0, Math.min(count, body.total)]);
      expect(body[member]).toHaveLength(body.count);
      const rest = (await caller.get(addressOf(path, 'start=1&count=1000'))).body;
      expect([rest.start, rest.count]).toEqual([1, Math.min(100, body.total - 1)]);
      for (const query of ['start=-1', 'count=x']) {
        expectError(await caller.get(addressOf(path, query)), 400, 999);
      }
    },
  );
});

describe('subjects and celebrities', () => {
  const subject = async (id: string) => (await callers.A.get(`/v2/movie/subject/${id}`)).body;

  it('200: a list of ids returns the subjects in the order of the request', async () => {
    const { status, body } = await callers.A.get(`/v2/movie/subject/list?ids=${series},0,${film}`);
    expect([status, body.missing]).toEqual([200, ['0']]);
    expect(body.subjects).toEqual([await subject(series), await subject(film)]);
  });

  it('200: old clients read a subject at a short path (D121)', async () => {
    const { status, body } = await callers.A.get(`/v2/movie/${film}`);
    const { title, alt } = await subject(film);
    expect([status, body.title, body.alt]).toEqual([200, title, alt]);
  });

  it('200: lists within a subject are limited (section 8)', async () => {
    const body = await subject(film);
    expect(body).toMatchObject({
      title: `Film ${word}`,
      subtype: 'movie',
      rating: { min: 0, max: 10, average: 8.8, stars: 45 },
      directors: [{ id: person, name: `Person ${word}` }],
      mainland_pubdate: '2020-02-02',
      pubdate: '2020-02-02',
      do_count: null,
      seasons_count: null,
      reviews_count: 11,
      comments_count: 2,
    });
    for (const [member, most] of [
      ['casts', 4],
      ['genres', 3],
      ['trailer_urls', 4],
      ['photos', 10],
      ['popular_reviews', 10],
    ] as const) {
      expect([member, body[member].length]).toEqual([member, most]);
    }
    const { body: reviews } = await callers.A.get(`/v2/movie/subject/${film}/reviews`);
    expect(Array.from(reviews.reviews[0].summary as string)).toHaveLength(100);
    const { body: comments } = await callers.A.get(`/v2/movie/subject/${film}/comments`);
    expect(Array.from(comments.comments[0].content as string)).toHaveLength(140);
  });

  it('200: a series has its seasons and episodes, and a celebrity has works', async () => {
    expect(await subject(series)).toMatchObject({
      ...{ subtype: 'tv', seasons_count: 3, current_season: 2, episodes_count: 10, do_count: 4 },
    });
    const { body } = await callers.A.get(`/v2/movie/celebrity/${person}`);
    expect([body.name, body.works.length]).toEqual([`Person ${word}`, 5]);
    const works = (await callers.A.get(`/v2/movie/celebrity/${person}/works?count=100`)).body;
    expect(works.total).toBe(FILMS);
    expect(works.celebrity.id).toBe(person);
  });

  it('200: subjects are found by words and tags; the basic tier sees 20 (section 8)', async () => {
    const search = async (tier: TierLetter, query: string) =>
      (await callers[tier].get(`/v2/movie/search?${query}`)).body;
    const all = await search('A', `q=${word}&count=100`);
    expect([all.total, all.query, all.tag]).toEqual([FILMS, word, '']);
    expect(idsOf(all.subjects).sort()).toEqual([...films].sort());
    const basic = await search('B', `q=${word}&count=100`);
    expect([basic.total, basic.subjects.length]).toEqual([20, 20]);
    expect((await search('B', `q=${word}&start=20`)).subjects).toEqual([]);
    const tagged = await search('A', `tag=tag${word}`);
    expect([idsOf(tagged.subjects), tagged.tag]).toEqual([[film], `tag${word}`]);
    expectError(await callers.A.get('/v2/movie/search'), 400, 1002);
  });

  it.each(MOVIE_GETS.filter(({ path }) => path.includes(':id')))(
    '404: $path rejects unknown ids (1001)',
    async ({ path }) => {
      for (const id of ['0', '99999999999999999999']) {
        expectError(await callers.A.get(path.replace(':id', id)), 404, 1001);
      }
    },
  );
});

describe('charts', () => {
  it('200: a chart has a title, and entries by rank', async () => {
    for (const { path, tiers } of MOVIE_GETS.filter(
      ({ response }) => 'title' in response && 'subjects' in response,
    )) {
      const { body } = await callers[tiers.includes('A') ? 'A' : 'P'].get(addressOf(path));
      expect([path, body.title]).toEqual([path, expect.stringMatching(/./)]);
      const ranks = body.subjects.map(({ rank = 0 }: { rank?: number }) => rank);
      expect(ranks).toEqual([...ranks].sort((one: number, two: number) => one - two));
    }
    const { body } = await callers.A.get('/v2/movie/us_box');
    expect(body.date).toMatch(/^\d+月\d+日 - \d+月\d+日$/);
  });

  it('200, 400: in_theaters accepts a city by id, uid or name, and rejects unknown cities', async () => {
    const path = '/v2/movie/in_theaters';
    for (const name of [city, word, `City ${word}`]) {
      const { body } = await callers.P.get(`${path}?city=${encodeURIComponent(name)}`);
      expect(idsOf(body.subjects)).toEqual([film, series]);
      expect(body.title).toContain(`City ${word}`);
    }
    expect((await callers.P.get(path)).status).toBe(200);
    expectError(await callers.P.get(`${path}?city=nowhere${word}`), 400, 1006);
  });
});

describe('limits of tiers (section 8, D16)', () => {
  it('429: the basic tier has a limit a minute for each user (111)', async () => {
    const { value } = (await stage.service.admin('GET', '/limits/LIMIT_MOVIE_BASIC')).body;
    const top = '/v2/movie/top250?count=1';
    await Promise.all(many(value, () => user.get(top)));
    const refused = await user.get(top);
    expectError(refused, 429, 111);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await user.get('/v2/rate_limit')).status).toBe(200);
  });

  it('200: the premium tier is unlimited, and X-RateLimit-Limit is 2147483647', async () => {
    const { headers } = await callers.P.get('/v2/movie/coming_soon');
    expect(headers.get('x-ratelimit-limit')).toBe('2147483647');
  });
});

itCallsAll(ROUTES.movies, stage.service);
