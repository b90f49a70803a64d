import { type Tier } from '../../src/api/access/access';
import { serializeResponse } from '../../src/api/resources/fields.interceptor';
import { type RequestContext } from '../../src/api/http/request-context';
import { RenderedJson } from '../../src/api/http/rendered-body';
import { Resource } from '../../src/api/resources/resource';
import { type Route } from '../../src/api/routing/route-table';
import * as celebrities from '../../src/movies/celebrities.resources';
import * as charts from '../../src/movies/charts.resources';
import * as movies from '../../src/movies/movies.resources';
import * as photos from '../../src/movies/photos.resources';
import * as reviews from '../../src/movies/reviews.resources';
import * as subjects from '../../src/movies/subjects.resources';
import { MOVIE_GETS, SEEN, type MovieGet } from './movie-endpoints';
import { RETURNED } from './movie-rows';
import { seenBy } from './movie-shapes';
import { walkService } from './routes';
import { shapeOfValue } from './shape';

const TIERS = { B: 'basic', A: 'advance', P: 'premium' } as const satisfies Record<string, Tier>;

const CONTEXT = {
  baseUrl: 'http://api.test',
  webUrl: 'http://web.test',
  sign: (path: string) => path,
};

let routes: readonly Route[];
beforeAll(async () => {
  routes = (await walkService()).routes.filter(({ extension }) => !extension);
});

const routeOf = ({ path }: MovieGet): Route => {
  const found = routes.filter((route) => route.method === 'GET' && route.path === path);
  expect(found).toHaveLength(1);
  return found[0] as Route;
};

describe('GETs of the movie area (specification section 4.3)', () => {
  it('are those of the contract table', () => {
    const declared = routes.filter(({ area }) => area === 'movie').map(({ path }) => path);
    expect(declared.sort()).toEqual(MOVIE_GETS.map(({ path }) => path).sort());
  });

  it.each(MOVIE_GETS)('$path needs the scope $scope and accepts the tiers $tiers', (row) => {
    const { scope, tiers, login, status, fields } = routeOf(row);
    expect({ scope, login, status, fields }).toEqual({
      scope: row.scope,
      login: false,
      status: 200,
      fields: false,
    });
    expect([...(tiers ?? [])].sort()).toEqual(row.tiers.map((tier) => TIERS[tier]).sort());
  });

  it.each(MOVIE_GETS)('$path has exactly the parameters of the table, all optional', (row) => {
    const { parameters, numeric } = routeOf(row);
    const query = parameters.filter((parameter) => parameter.in === 'query');
    const paging = row.count === undefined ? [] : ['start', 'count'];
    const names = query.map(({ name }) => name);
    expect(names.sort()).toEqual([...(row.query ?? []), ...paging].sort());
    expect(query.filter(({ required }) => required)).toEqual([]);
    const defaults = Object.fromEntries(query.map(({ name, schema }) => [name, schema.default]));
    if (row.count !== undefined) expect(defaults).toMatchObject({ start: 0, count: row.count });
    expect(numeric).toEqual(row.path.includes(':id') ? ['id'] : []);
  });

  it.each(SEEN)('$path has exactly the members of the tier $tier', async (row) => {
    const context = { tier: TIERS[row.tier], query: {} } as unknown as RequestContext;
    const response = await serializeResponse(routeOf(row), context, RETURNED[row.path], CONTEXT);
    // Lists are written already.
    const value: unknown =
      response instanceof RenderedJson ? JSON.parse(String(response.json)) : response;
    expect(shapeOfValue(value)).toEqual(seenBy(row.tier, row.response));
  });
});

const TABLES = [celebrities, charts, movies, photos, reviews, subjects]
  .flatMap((module): unknown[] => Object.values(module))
  .filter((exported) => exported instanceof Resource);

it('resource tables have unique names', () => {
  const names = TABLES.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(new Set(names).size).toBe(names.length);
});

const PICTURES = {
  small: expect.stringMatching(/^http:\/\/api\.test\/.+/),
  large: expect.stringMatching(/^http:\/\/api\.test\/.+/),
  medium: expect.stringMatching(/^http:\/\/api\.test\/.+/),
};
const write = (table: Resource, tier: Tier, source: unknown) =>
  table.compile(tier)(source, CONTEXT);
const EMPTY = { id: '1', title: 't', rating_average: '0.0', stars: 0 };

describe('members without a value', () => {
  it('of a subject have the values of the column "Default" (section 2.7)', () => {
    expect(write(subjects.Subject, 'premium', { ...EMPTY, subtype: 'movie' })).toEqual({
      id: '1',
      title: 't',
      original_title: '',
      aka: [],
      alt: 'http://web.test/movie/subject/1/',
      mobile_url: 'http://web.test/movie/subject/1/mobile',
      rating: { min: 0, max: 10, average: 0, stars: 0 },
      ratings_count: 0,
      wish_count: 0,
      collect_count: 0,
      do_count: null,
      images: PICTURES,
      subtype: 'movie',
      directors: [],
      casts: [],
      writers: [],
      website: '',
      service_site: '',
      pubdates: [],
      mainland_pubdate: '',
      pubdate: '',
      year: '',
      languages: [],
      durations: [],
      genres: [],
      countries: [],
      summary: '',
      comments_count: 0,
      reviews_count: 0,
      seasons_count: null,
      current_season: null,
      episodes_count: null,
      schedule_url: '',
      trailer_urls: [],
      clip_urls: [],
      blooper_urls: [],
      photos: [],
      popular_reviews: [],
    });
  });

  it('of a series: do_count is 0, and other numbers are as stored (D34)', () => {
    const numbers = { do_count: null, seasons_count: 3, current_season: null, episodes_count: 0 };
    expect(write(subjects.Subject, 'basic', { ...EMPTY, subtype: 'tv', ...numbers })).toMatchObject(
      { do_count: 0, seasons_count: 3, current_season: null, episodes_count: 0 },
    );
  });

  it('of a film with the numbers of a series are null (D34)', () => {
    const numbers = { do_count: 1, seasons_count: 3, current_season: 1, episodes_count: 8 };
    const film = write(subjects.Subject, 'basic', { ...EMPTY, subtype: 'movie', ...numbers });
    for (const member of Object.keys(numbers)) expect(film[member]).toBeNull();
  });

  it('of a celebrity are empty (section 2.8)', () => {
    expect(write(celebrities.Celebrity, 'advance', { id: '7', name: 'n' })).toEqual({
      id: '7',
      name: 'n',
      name_en: '',
      alt: 'http://web.test/movie/celebrity/7/',
      mobile_url: 'http://web.test/movie/celebrity/7/mobile',
      avatars: PICTURES,
      summary: '',
      aka: [],
      aka_en: [],
      website: '',
      gender: '',
      birthday: '',
      born_place: '',
      professions: [],
      constellation: '',
      photos: [],
      works: [],
    });
  });

  it('of people without a page are null (D34)', () => {
    expect(write(movies.SimpleCelebrity, 'basic', { id: null, name: 'n' })).toEqual({
      id: null,
      name: 'n',
      alt: null,
      avatars: null,
    });
  });

  it('of a photo are empty or 0, also those of its author', () => {
    const { created_at, desc, author, next_photo, prev_photo, position, photos_count } = write(
      photos.Photo,
      'advance',
      { id: '5', subject_id: '1', celebrity_id: null, author: null },
    );
    expect([created_at, desc, author, next_photo, prev_photo, position, photos_count]).toEqual([
      '',
      '',
      {
        id: '',
        name: '',
        uid: '',
        signature: '',
        alt: '',
        avatar: expect.stringMatching(/user\.jpg$/),
      },
      '',
      '',
      0,
      0,
    ]);
  });

  it('a missing rating has the value 0, of 0 to 5 (D33)', () => {
    const row = { id: '9', subject_id: '1', author: { id: '4', uid: 'a' }, rating: null };
    const none = { max: 5, value: 0, min: 0 };
    for (const table of [reviews.SimpleReview, reviews.MovieReview, reviews.MovieComment]) {
      expect(write(table, 'advance', row)).toMatchObject({ rating: none });
    }
  });
});

describe('lists inside subjects and celebrities (section 8)', () => {
  const many = (element: unknown): unknown[] => Array.from({ length: 30 }, () => element);
  const person = { id: null, name: 'n' };
  const about = { id: '5', celebrity_id: null, subject_id: '1', author: { uid: 'a' } };

  it('of a subject are truncated at their maximum', () => {
    const row = {
      ...EMPTY,
      subtype: 'movie',
      ...{ casts: many(person), directors: many(person), genres: many('g') },
      ...{ trailer_urls: many('t'), clip_urls: many('c'), blooper_urls: many('b') },
      ...{ photos: many(about), popular_reviews: many(about) },
    };
    const written = write(subjects.Subject, 'advance', row) as Record<string, unknown[]>;
    const lengths = Object.entries(row)
      .filter(([, value]) => Array.isArray(value))
      .map(([name]) => [name, written[name]?.length]);
    expect(Object.fromEntries(lengths)).toEqual({
      casts: 4,
      directors: 30,
      genres: 3,
      trailer_urls: 4,
      clip_urls: 4,
      blooper_urls: 4,
      photos: 10,
      popular_reviews: 10,
    });
  });

  it('of a celebrity are truncated at their maximum', () => {
    const row = { id: '7', name: 'n', photos: many(about), works: many({ ...EMPTY }) };
    const written = write(celebrities.Celebrity, 'advance', row) as Record<string, unknown[]>;
    expect([written.photos?.length, written.works?.length]).toEqual([10, 5]);
  });
});
