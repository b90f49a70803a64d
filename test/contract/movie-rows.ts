/** Rows with every member that some statement loads, as sources of the movie area's shapes. */

const USER = { id: '8', uid: 'ada', name: 'Ada', signature: 's', avatar: '/a.jpg' };

const SUBJECT_HERE = {
  id: '1',
  title: 't',
  original_title: 'o',
  image_small: '/s.jpg',
  image_medium: '/m.jpg',
  image_large: '/l.jpg',
  rating_average: '8.8',
  stars: 45,
  pubdates: ['2019-02-05'],
  year: '2019',
  subtype: 'tv',
};

const PERSON = {
  id: '7',
  name: 'n',
  avatar_small: '/s.jpg',
  avatar_medium: '/m.jpg',
  avatar_large: '/l.jpg',
};

const PHOTO = {
  id: '5',
  subject_id: '1',
  celebrity_id: null,
  icon: '/i.jpg',
  image: '/p.jpg',
  thumb: '/t.jpg',
  cover: '/c.jpg',
  created_at: '2019-02-05 12:00:00',
  description: 'd',
  author: USER,
  album_id: '1',
  album_title: 't',
  next_photo: '6',
  prev_photo: '4',
  position: 1,
  comments_count: 2,
  photos_count: 3,
};

const REVIEW = {
  id: '9',
  title: 't',
  created_at: '2019-02-05 12:00:00',
  updated_at: '2019-02-05 12:00:00',
  subject_id: '1',
  author: USER,
  summary: 's',
  rating: 4,
  useful_count: 1,
  useless_count: 1,
  comments_count: 1,
};

const SUBJECT = {
  ...SUBJECT_HERE,
  aka: ['a'],
  ratings_count: 1,
  wish_count: 1,
  collect_count: 1,
  do_count: 1,
  directors: [PERSON],
  casts: [PERSON],
  writers: [PERSON],
  website: 'w',
  service_site: 's',
  mainland_pubdate: '2019-02-05',
  languages: ['l'],
  durations: ['d'],
  genres: ['g'],
  countries: ['c'],
  summary: 's',
  comments_count: 1,
  reviews_count: 1,
  seasons_count: 1,
  current_season: 1,
  episodes_count: 1,
  has_schedule: true,
  trailer_urls: ['/t'],
  clip_urls: ['/c'],
  blooper_urls: ['/b'],
  photos: [PHOTO],
  popular_reviews: [REVIEW],
};

const CELEBRITY = {
  ...PERSON,
  name_en: 'e',
  summary: 's',
  aka: ['a'],
  aka_en: ['a'],
  website: 'w',
  gender: '女',
  birthday: '1970-01-01',
  born_place: 'b',
  professions: ['演员'],
  constellation: 'c',
  photos: [PHOTO],
  works: [SUBJECT_HERE],
};

const page = (item: unknown) => ({
  start: 0,
  total: 1,
  items: [item],
  extra: { subject: SUBJECT_HERE, celebrity: PERSON, query: 'q', tag: 't', title: 'c' },
});

/** Rows that the handler of each endpoint returns. */
export const RETURNED: Readonly<Record<string, unknown>> = {
  '/v2/movie/subject/:id': SUBJECT,
  '/v2/movie/celebrity/:id': CELEBRITY,
  '/v2/movie/subject/:id/photos': page(PHOTO),
  '/v2/movie/subject/:id/reviews': page(REVIEW),
  '/v2/movie/subject/:id/comments': page({ ...REVIEW, content: 'c' }),
  '/v2/movie/celebrity/:id/works': page({ roles: ['actor'], subject: SUBJECT_HERE }),
  '/v2/movie/celebrity/:id/photos': page(PHOTO),
  '/v2/movie/search': page(SUBJECT_HERE),
  '/v2/movie/top250': page(SUBJECT_HERE),
  '/v2/movie/us_box': {
    title: 'c',
    date: 'd',
    subjects: [{ rank: 1, box: '36000000', new: true, subject: SUBJECT_HERE }],
  },
  '/v2/movie/weekly': { title: 'c', subjects: [{ rank: 1, delta: -1, subject: SUBJECT_HERE }] },
  '/v2/movie/new_movies': { title: 'c', subjects: [SUBJECT_HERE] },
  '/v2/movie/in_theaters': page(SUBJECT_HERE),
  '/v2/movie/coming_soon': page(SUBJECT_HERE),
};
