import {
  address,
  int,
  list,
  ref,
  resource,
  str,
  type WireContext,
} from '../api/resources/resource';
import {
  MAX,
  PosterImages,
  SimpleCelebrity,
  SUBTYPE,
  SubjectRating,
  subjectPage,
  integer,
} from './movies.resources';
import { type SubjectRow } from './movies.rows';
import { SimplePhoto } from './photos.resources';
import { SimpleReview } from './reviews.resources';

/** A number of series: null for movies and when unknown (D34). */
const ofSeries = (member: 'seasons_count' | 'current_season' | 'episodes_count') =>
  ({
    type: int(),
    default: null,
    from: (row: SubjectRow) => (row.subtype === 'tv' ? row[member] : null),
    about: 'Null for films, and where it is unknown.',
  }) as const;

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
  rating: { type: ref(SubjectRating), from: integer },
  ratings_count: { type: int() },
  wish_count: { type: int() },
  collect_count: { type: int() },
  do_count: {
    type: int(),
    default: null,
    from: (row: SubjectRow) => (row.subtype === 'tv' ? (row.do_count ?? 0) : null),
    about: 'Null for films.',
  },
  images: { type: ref(PosterImages), from: integer },
  subtype: { type: SUBTYPE },
  directors: { type: list(ref(SimpleCelebrity)) },
  casts: { type: list(ref(SimpleCelebrity)), max: MAX.casts },
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
  genres: { type: list(str()), max: MAX.genres },
  countries: { type: list(str()) },
  summary: { type: str() },
  comments_count: { type: int() },
  reviews_count: { type: int() },
  seasons_count: ofSeries('seasons_count'),
  current_season: ofSeries('current_season'),
  episodes_count: ofSeries('episodes_count'),
  schedule_url: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) =>
      row.has_schedule ? `${subjectPage(row.id, context)}cinema/` : '',
  },
  trailer_urls: { type: list(address()), tiers: 'AP', max: MAX.videos },
  clip_urls: { type: list(address()), tiers: 'AP', max: MAX.videos },
  blooper_urls: { type: list(address()), tiers: 'AP', max: MAX.videos },
  photos: { type: list(ref(SimplePhoto)), tiers: 'AP', max: MAX.photos },
  popular_reviews: { type: list(ref(SimpleReview)), tiers: 'AP', max: MAX.popularReviews },
});
