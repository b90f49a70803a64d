import * as shapes from './movie-shapes';
import { type TieredShape, type TierLetter } from './movie-shapes';

/** A row of the specification's section 4.3, with the tiers that D14 lets in. */
export interface MovieGet {
  readonly path: string;
  readonly scope: 'movie_basic_r' | 'movie_advance_r' | 'movie_premium_r';
  readonly tiers: readonly TierLetter[];
  /** Members of the response. */
  readonly response: { readonly [member: string]: TieredShape };
  /** `count` when it is not given; undefined where there is none. */
  readonly count?: number;
  /** Parameters beside `start` and `count`. */
  readonly query?: readonly string[];
}

const { LIST, SIMPLE_CELEBRITY, SIMPLE_SUBJECT } = shapes;
const OF_SUBJECT = { ...LIST, subject: SIMPLE_SUBJECT };
const OF_CELEBRITY = { ...LIST, celebrity: SIMPLE_CELEBRITY };
const TITLED = { ...LIST, title: 'string', subjects: [SIMPLE_SUBJECT] } as const;

export const MOVIE_GETS: readonly MovieGet[] = [
  {
    path: '/v2/movie/subject/:id',
    scope: 'movie_basic_r',
    tiers: ['B', 'A', 'P'],
    response: shapes.SUBJECT,
  },
  {
    path: '/v2/movie/celebrity/:id',
    scope: 'movie_basic_r',
    tiers: ['B', 'A'],
    response: shapes.CELEBRITY,
  },
  {
    path: '/v2/movie/subject/:id/photos',
    scope: 'movie_advance_r',
    tiers: ['A', 'P'],
    response: { ...OF_SUBJECT, photos: [shapes.PHOTO] },
    count: 10,
  },
  {
    path: '/v2/movie/subject/:id/reviews',
    scope: 'movie_advance_r',
    tiers: ['A', 'P'],
    response: { ...OF_SUBJECT, reviews: [shapes.REVIEW] },
    count: 10,
  },
  {
    path: '/v2/movie/subject/:id/comments',
    scope: 'movie_advance_r',
    tiers: ['A', 'P'],
    response: { ...OF_SUBJECT, comments: [shapes.COMMENT] },
    count: 10,
  },
  {
    path: '/v2/movie/celebrity/:id/works',
    scope: 'movie_advance_r',
    tiers: ['A'],
    response: { ...OF_CELEBRITY, works: [shapes.WORK] },
    count: 5,
  },
  {
    path: '/v2/movie/celebrity/:id/photos',
    scope: 'movie_advance_r',
    tiers: ['A'],
    response: { ...OF_CELEBRITY, photos: [shapes.PHOTO] },
    count: 10,
  },
  {
    path: '/v2/movie/search',
    scope: 'movie_basic_r',
    tiers: ['B', 'A', 'P'],
    response: { ...LIST, query: 'string', tag: 'string', subjects: [SIMPLE_SUBJECT] },
    count: 20,
    query: ['q', 'tag'],
  },
  {
    path: '/v2/movie/top250',
    scope: 'movie_basic_r',
    tiers: ['B', 'A'],
    response: TITLED,
    count: 10,
  },
  {
    path: '/v2/movie/us_box',
    scope: 'movie_basic_r',
    tiers: ['B', 'A'],
    response: { title: 'string', date: 'string', subjects: [shapes.BOX_ENTRY] },
  },
  {
    path: '/v2/movie/weekly',
    scope: 'movie_advance_r',
    tiers: ['A'],
    response: { title: 'string', subjects: [shapes.WEEKLY_ENTRY] },
  },
  {
    path: '/v2/movie/new_movies',
    scope: 'movie_advance_r',
    tiers: ['A'],
    response: { title: 'string', subjects: [SIMPLE_SUBJECT] },
  },
  {
    path: '/v2/movie/in_theaters',
    scope: 'movie_premium_r',
    tiers: ['P'],
    response: TITLED,
    count: 20,
    query: ['city'],
  },
  {
    path: '/v2/movie/coming_soon',
    scope: 'movie_premium_r',
    tiers: ['P'],
    response: TITLED,
    count: 20,
  },
];

/** Every endpoint with every tier that it lets in. */
export const SEEN = MOVIE_GETS.flatMap((row) => row.tiers.map((tier) => ({ ...row, tier })));
