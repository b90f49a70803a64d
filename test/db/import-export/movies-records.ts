import { type Wire } from './transfer';

const SIZES = ['small', 'large', 'medium'] as const;
const sizes = (name: string): Wire =>
  Object.fromEntries(SIZES.map((size) => [size, `http://x/${name}-${size}.jpg`]));

/** A person as lists of the original have them. */
export const person = (id: number, name: string): Wire => ({
  id: String(id),
  name,
  name_en: `${name} en`,
  alt: `http://x/celebrity/${id}/`,
  avatars: sizes(`c${id}`),
});

/** A person without a page. */
export const nobody = (name: string): Wire => ({ id: null, name, alt: null, avatars: null });

/** A subject as lists and charts have it. */
export const simpleSubject = (id: number, title: string, more: Wire = {}): Wire => ({
  id: String(id),
  title,
  original_title: `${title} o`,
  alt: `http://x/subject/${id}/`,
  images: sizes(`s${id}`),
  rating: { max: 10, average: 7.9, stars: '40', min: 0, details: { 1: 3 } },
  pubdates: ['2019-02-05(中国大陆)'],
  year: '2019',
  subtype: 'movie',
  ...more,
});

const author = (id: number): Wire => ({ id: String(id), uid: `u${id}`, name: `Name ${id}` });

export const photo = (id: number, more: Wire = {}): Wire => ({
  id: String(id),
  alt: `http://x/photo/${id}/`,
  ...Object.fromEntries(
    ['icon', 'image', 'thumb', 'cover'].map((size) => [size, `/${size}/${id}`]),
  ),
  ...more,
});

/** A complete subject, as the original service represents it. */
export const WHOLE: Wire = {
  ...simpleSubject(7, '流浪'),
  original_title: 'Wandering',
  aka: ['Earth'],
  ratings_count: 10,
  wish_count: 20,
  collect_count: 30,
  do_count: null,
  seasons_count: null,
  current_season: null,
  episodes_count: null,
  old_name_site: 'http://x/site',
  website: 'http://x/',
  mainland_pubdate: '2019-02-05',
  languages: ['汉语'],
  durations: ['125分钟'],
  genres: ['科幻', '冒险'],
  tags: ['科幻', '太空'],
  countries: ['中国大陆'],
  summary: 'text',
  comments_count: 1000,
  reviews_count: 500,
  schedule_url: 'http://x/cinema/',
  trailer_urls: ['/t1', '/t2'],
  clip_urls: [],
  blooper_urls: ['/b'],
  directors: [person(1, '郭')],
  casts: [person(2, '屈'), nobody('无名'), person(3, '李')],
  writers: [person(1, '郭')],
  photos: [photo(71), photo(72)],
  popular_reviews: [1, 2].map((at) => ({
    id: String(90 + at),
    title: `r${at}`,
    subject_id: '7',
    author: author(at),
    rating: { max: 5, value: at, min: 0 },
    summary: 'x'.repeat(150),
  })),
  popular_comments: [
    {
      id: '81',
      subject_id: '7',
      author: author(5),
      content: 'c',
      rating: { value: 0, max: 5, min: 0 },
      useful_count: 4,
      created_at: '2019-02-05 10:24:19',
    },
  ],
};

/** Works of a celebrity, as a response. */
export const WORKS: Wire = {
  start: 20,
  count: 2,
  total: 56,
  works: [
    { roles: ['演员', '制片人'], subject: simpleSubject(7, '流浪', { casts: [person(2, '屈')] }) },
    { roles: ['导演'], subject: simpleSubject(8, '第二') },
  ],
  celebrity: person(2, '屈'),
};

/** Every kind, in the order that later ones rest on earlier ones. */
export const MOVIE_KINDS = [
  'loc',
  'user',
  'movie',
  'celebrity',
  'credit',
  'photo',
  'movie-review',
  'movie-comment',
  'showing',
  'chart',
] as const;

export const reviewOf = (subject: number, id: number, more: Wire = {}): Wire => ({
  id: String(id),
  subject_id: String(subject),
  author: author(1),
  title: 't',
  summary: 's',
  rating: { value: 3, max: 5, min: 0 },
  useful_count: 3,
  created_at: '2017-01-19 21:46:33',
  updated_at: '2017-04-12 15:52:33',
  ...more,
});
