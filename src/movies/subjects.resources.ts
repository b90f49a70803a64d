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
  wholeRow,
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
  id: { type: str(), about: 'Id of the film or series.' },
  title: { type: str(), about: 'Chinese title.' },
  original_title: { type: str(), about: 'Title in the original language; may be empty.' },
  aka: { type: list(str()), about: 'Other titles.' },
  alt: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) => subjectPage(row.id, context),
    about: 'URL of the page of the film or series.',
  },
  mobile_url: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) => `${subjectPage(row.id, context)}mobile`,
    about: 'URL of the page for mobile screens.',
  },
  rating: { type: ref(SubjectRating), from: wholeRow, about: 'Rating by all users.' },
  ratings_count: { type: int(), about: 'Number of users who have rated it.' },
  wish_count: { type: int(), about: 'Number of users who want to see it.' },
  collect_count: { type: int(), about: 'Number of users who have seen it.' },
  do_count: {
    type: int(),
    default: null,
    from: (row: SubjectRow) => (row.subtype === 'tv' ? (row.do_count ?? 0) : null),
    about: 'Null for films.',
  },
  images: { type: ref(PosterImages), from: wholeRow, about: 'Poster in three sizes.' },
  subtype: { type: SUBTYPE, about: '`movie`: film, `tv`: series.' },
  directors: { type: list(ref(SimpleCelebrity)), about: 'Directors.' },
  casts: { type: list(ref(SimpleCelebrity)), max: MAX.casts, about: 'Main actors.' },
  writers: { type: list(ref(SimpleCelebrity)), tiers: 'AP', about: 'Writers.' },
  website: { type: str(), tiers: 'AP', about: 'URL of the official website; may be empty.' },
  service_site: { type: str(), about: 'URL of the community site; may be empty.' },
  pubdates: {
    type: list(str()),
    tiers: 'AP',
    about:
      'Release dates or dates of first broadcast, `yyyy-MM-dd` with the country in parentheses.',
  },
  mainland_pubdate: {
    type: str(),
    tiers: 'AP',
    about: 'Date of the release or first broadcast in mainland China, `yyyy-MM-dd`; may be empty.',
  },
  pubdate: {
    type: str(),
    tiers: 'AP',
    from: (row: SubjectRow) => row.mainland_pubdate,
    deprecated: true,
    about: 'A copy of mainland_pubdate.',
  },
  year: { type: str(), about: 'Year of the first release; may be empty.' },
  languages: { type: list(str()), tiers: 'AP', about: 'Languages.' },
  durations: {
    type: list(str()),
    tiers: 'AP',
    about: 'Running times with their unit, as free text such as `142分钟`.',
  },
  genres: { type: list(str()), max: MAX.genres, about: 'Genres.' },
  countries: { type: list(str()), about: 'Countries of production.' },
  summary: { type: str(), about: 'Summary, as plain text.' },
  comments_count: { type: int(), about: 'Number of short comments.' },
  reviews_count: { type: int(), about: 'Number of reviews.' },
  seasons_count: ofSeries('seasons_count'),
  current_season: ofSeries('current_season'),
  episodes_count: ofSeries('episodes_count'),
  schedule_url: {
    type: str(),
    from: (row: SubjectRow, context: WireContext) =>
      row.has_schedule ? `${subjectPage(row.id, context)}cinema/` : '',
    about: 'URL of the page of showings; empty for series and films without showings.',
  },
  trailer_urls: { type: list(address()), tiers: 'AP', max: MAX.videos, about: 'URLs of trailers.' },
  clip_urls: { type: list(address()), tiers: 'AP', max: MAX.videos, about: 'URLs of clips.' },
  blooper_urls: { type: list(address()), tiers: 'AP', max: MAX.videos, about: 'URLs of bloopers.' },
  photos: { type: list(ref(SimplePhoto)), tiers: 'AP', max: MAX.photos, about: 'First photos.' },
  popular_reviews: {
    type: list(ref(SimpleReview)),
    tiers: 'AP',
    max: MAX.popularReviews,
    about: 'Most useful reviews.',
  },
});
