import {
  address,
  bool,
  decimal1,
  int,
  list,
  ref,
  resource,
  str,
  time,
  word,
  type WireContext,
} from '../api/resource';
import { SimpleUser } from '../users/users.resources';
import {
  type PhotoRow,
  type SimpleCelebrityRow,
  type SimplePhotoRow,
  type SimpleSubjectRow,
  type SubjectRow,
} from './movies.rows';

/** Most elements of lists inside subjects and celebrities (specification sections 2.7, 2.8, 8). */
export const MOST = {
  casts: 4,
  genres: 3,
  videos: 4,
  photos: 10,
  popularReviews: 10,
  works: 5,
} as const;

const whole = <T>(row: T): T => row;

const subjectPage = (id: string, context: WireContext): string =>
  `${context.webUrl}/movie/subject/${id}/`;
const celebrityPage = (id: string, context: WireContext): string =>
  `${context.webUrl}/movie/celebrity/${id}/`;

/** Poster in three sizes: 288x465, 96x155 and 64x103 pixels. */
export const PosterImages = resource('PosterImages', {
  small: {
    type: address(),
    from: (row: SimpleSubjectRow) => row.image_small || '/pictures/sample/default/movie-s.jpg',
  },
  large: {
    type: address(),
    from: (row: SimpleSubjectRow) => row.image_large || '/pictures/sample/default/movie-l.jpg',
  },
  medium: {
    type: address(),
    from: (row: SimpleSubjectRow) => row.image_medium || '/pictures/sample/default/movie-m.jpg',
  },
});

/** Portrait in three sizes: 420x600, 140x200 and 70x100 pixels. */
export const Avatars = resource('Avatars', {
  small: {
    type: address(),
    from: (row: SimpleCelebrityRow) =>
      row.avatar_small || '/pictures/sample/default/celebrity-s.jpg',
  },
  large: {
    type: address(),
    from: (row: SimpleCelebrityRow) =>
      row.avatar_large || '/pictures/sample/default/celebrity-l.jpg',
  },
  medium: {
    type: address(),
    from: (row: SimpleCelebrityRow) =>
      row.avatar_medium || '/pictures/sample/default/celebrity-m.jpg',
  },
});

/** Simple rating (specification section 2.9), on 10, as every subject has it (D33). */
export const SubjectRating = resource('SubjectRating', {
  max: { type: int(), from: () => 10 },
  average: { type: decimal1(), from: (row: SimpleSubjectRow) => row.rating_average },
  stars: { type: int() },
  min: { type: int(), from: () => 0 },
});

/** Rating (specification section 2.9) as somebody gave it: 1 to 5, 0 for none (D33). */
export const GivenRating = resource('GivenRating', {
  max: { type: int(), from: () => 5 },
  value: { type: int(), from: (row: { rating: number | null }) => row.rating },
  min: { type: int(), from: () => 0 },
});

/** Simple celebrity (specification section 2.9); null where the person has no page (D34). */
export const SimpleCelebrity = resource('SimpleCelebrity', {
  id: { type: str(), default: null },
  name: { type: str() },
  alt: {
    type: str(),
    default: null,
    from: (row: SimpleCelebrityRow, context: WireContext) =>
      row.id === null ? null : celebrityPage(row.id, context),
  },
  avatars: {
    type: ref(Avatars),
    default: null,
    from: (row: SimpleCelebrityRow) => (row.id === null ? null : row),
  },
});

const SUBTYPE = word('movie', 'tv');

/** Simple subject (specification section 2.9). */
export const SimpleSubject = resource('SimpleSubject', {
  id: { type: str() },
  title: { type: str() },
  original_title: { type: str() },
  alt: {
    type: str(),
    from: (row: SimpleSubjectRow, context: WireContext) => subjectPage(row.id, context),
  },
  images: { type: ref(PosterImages), from: whole },
  rating: { type: ref(SubjectRating), from: whole },
  pubdates: { type: list(str()), tiers: 'AP' },
  year: { type: str() },
  subtype: { type: SUBTYPE },
});

const photoPage = (row: SimplePhotoRow, context: WireContext): string =>
  row.celebrity_id === null
    ? `${context.webUrl}/movie/photo/${row.id}/`
    : `${celebrityPage(row.celebrity_id, context)}photo/${row.id}/`;

/** Simple photo (specification section 2.9). */
export const SimplePhoto = resource('SimplePhoto', {
  id: { type: str() },
  alt: { type: str(), from: photoPage },
  icon: { type: address() },
  image: { type: address() },
  thumb: { type: address() },
  cover: { type: address() },
});

const albumPage = (row: PhotoRow, context: WireContext): string =>
  row.celebrity_id === null
    ? `${subjectPage(String(row.subject_id), context)}photos/`
    : `${celebrityPage(row.celebrity_id, context)}photos/`;

/** Photo (specification section 2.9); `subject_id` is the celebrity's id for a celebrity's photo. */
export const Photo = resource('Photo', {
  id: { type: str() },
  subject_id: { type: str(), from: (row: PhotoRow) => row.subject_id ?? row.celebrity_id },
  alt: { type: str(), from: photoPage },
  icon: { type: address() },
  image: { type: address() },
  thumb: { type: address() },
  cover: { type: address() },
  created_at: { type: time() },
  desc: { type: str(), from: (row: PhotoRow) => row.description },
  author: { type: ref(SimpleUser), default: null },
  album_id: { type: str() },
  album_title: { type: str() },
  album_url: { type: str(), from: albumPage },
  next_photo: { type: str() },
  prev_photo: { type: str() },
  position: { type: int() },
  comments_count: { type: int() },
  photos_count: { type: int() },
});

const reviewPage = (row: { id: string }, context: WireContext): string =>
  `${context.webUrl}/movie/review/${row.id}/`;

/** Simple review (specification section 2.9), its summary within 100 characters. */
export const SimpleReview = resource('SimpleMovieReview', {
  id: { type: str() },
  title: { type: str() },
  alt: { type: str(), from: reviewPage },
  subject_id: { type: str() },
  author: { type: ref(SimpleUser) },
  rating: { type: ref(GivenRating), from: whole },
  summary: { type: str() },
});

/** Review (specification section 2.9), its summary within 100 characters. */
export const MovieReview = resource('MovieReview', {
  id: { type: str() },
  title: { type: str() },
  alt: { type: str(), from: reviewPage },
  created_at: { type: time() },
  updated_at: { type: time() },
  subject_id: { type: str() },
  author: { type: ref(SimpleUser) },
  summary: { type: str() },
  rating: { type: ref(GivenRating), from: whole },
  useful_count: { type: int() },
  useless_count: { type: int() },
  comments_count: { type: int() },
});

/** Short comment (specification section 2.9), within 140 characters. */
export const MovieComment = resource('MovieComment', {
  id: { type: str() },
  created_at: { type: time() },
  subject_id: { type: str() },
  author: { type: ref(SimpleUser) },
  content: { type: str() },
  rating: { type: ref(GivenRating), from: whole },
  useful_count: { type: int() },
});

/** A number that only series have: null for films and where it is unknown (D34). */
const ofSeries = { type: int(), default: null } as const;

/** Movie subject (specification section 2.7). */
export const Subject = resource('Subject', {
  id: { type: str() },
  title: { type: str() },
  original_title: { type: str() },
  aka: { type: list(str()) },
  alt: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) => subjectPage(row.id, context),
  },
  mobile_url: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) => `${subjectPage(row.id, context)}mobile`,
  },
  rating: { type: ref(SubjectRating), from: whole },
  ratings_count: { type: int() },
  wish_count: { type: int() },
  collect_count: { type: int() },
  do_count: {
    ...ofSeries,
    from: (row: SubjectRow) => (row.subtype === 'tv' ? (row.do_count ?? 0) : null),
    about: 'Null for films.',
  },
  images: { type: ref(PosterImages), from: whole },
  subtype: { type: SUBTYPE },
  directors: { type: list(ref(SimpleCelebrity)) },
  casts: { type: list(ref(SimpleCelebrity)), max: MOST.casts },
  writers: { type: list(ref(SimpleCelebrity)), tiers: 'AP' },
  website: { type: str(), tiers: 'AP' },
  service_site: { type: str() },
  pubdates: { type: list(str()), tiers: 'AP' },
  mainland_pubdate: { type: str(), tiers: 'AP' },
  pubdate: {
    type: str(),
    tiers: 'AP',
    from: (row: SubjectRow) => row.mainland_pubdate,
    deprecated: true,
    about: 'A copy of mainland_pubdate.',
  },
  year: { type: str() },
  languages: { type: list(str()), tiers: 'AP' },
  durations: { type: list(str()), tiers: 'AP' },
  genres: { type: list(str()), max: MOST.genres },
  countries: { type: list(str()) },
  summary: { type: str() },
  comments_count: { type: int() },
  reviews_count: { type: int() },
  seasons_count: ofSeries,
  current_season: ofSeries,
  episodes_count: ofSeries,
  schedule_url: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) =>
      row.has_schedule ? `${subjectPage(row.id, context)}cinema/` : '',
  },
  trailer_urls: { type: list(address()), tiers: 'AP', max: MOST.videos },
  clip_urls: { type: list(address()), tiers: 'AP', max: MOST.videos },
  blooper_urls: { type: list(address()), tiers: 'AP', max: MOST.videos },
  photos: { type: list(ref(SimplePhoto)), tiers: 'AP', max: MOST.photos },
  popular_reviews: { type: list(ref(SimpleReview)), tiers: 'AP', max: MOST.popularReviews },
});

/** Celebrity (specification section 2.8); never shown to the premium tier. */
export const Celebrity = resource('Celebrity', {
  id: { type: str() },
  name: { type: str() },
  name_en: { type: str() },
  alt: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => celebrityPage(row.id, context),
  },
  mobile_url: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => `${celebrityPage(row.id, context)}mobile`,
  },
  avatars: { type: ref(Avatars), from: whole },
  summary: { type: str(), tiers: 'A' },
  aka: { type: list(str()) },
  aka_en: { type: list(str()) },
  website: { type: str(), tiers: 'A' },
  gender: { type: str() },
  birthday: { type: str(), tiers: 'A' },
  born_place: { type: str() },
  professions: { type: list(str()), tiers: 'A' },
  constellation: { type: str(), tiers: 'A' },
  photos: { type: list(ref(SimplePhoto)), tiers: 'A', max: MOST.photos },
  works: { type: list(ref(SimpleSubject)), max: MOST.works },
});

/** A work with what the celebrity did in it (D35). */
export const Work = resource('Work', {
  roles: { type: list(str()) },
  subject: { type: ref(SimpleSubject) },
});

/** Box entry (specification section 2.9). */
export const BoxEntry = resource('BoxEntry', {
  rank: { type: int() },
  box: { type: int() },
  new: { type: bool() },
  subject: { type: ref(SimpleSubject) },
});

/** Weekly entry (specification section 2.9, D35). */
export const WeeklyEntry = resource('WeeklyEntry', {
  rank: { type: int() },
  delta: { type: int(), about: 'Rank of the week before minus this one.' },
  subject: { type: ref(SimpleSubject) },
});
