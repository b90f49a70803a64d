import {
  address,
  decimal1,
  int,
  list,
  ref,
  resource,
  str,
  oneOf,
  type WireContext,
} from '../api/resources/resource';
import { type SimpleCelebrityRow, type SimpleSubjectRow } from './movies.rows';

/**
 * Maximum number of elements of lists inside subjects and celebrities (specification sections 2.7,
 * 2.8, 8).
 */
export const MAX = {
  casts: 4,
  genres: 3,
  videos: 4,
  photos: 10,
  popularReviews: 10,
  works: 5,
} as const;

/** For members that use the complete row. */
export const wholeRow = <T>(row: T): T => row;

/** URL of a subject's page (D11). */
export const subjectPage = (id: string, context: WireContext): string =>
  `${context.webUrl}/movie/subject/${id}/`;
/** URL of a celebrity's page (D11). */
export const celebrityPage = (id: string, context: WireContext): string =>
  `${context.webUrl}/movie/celebrity/${id}/`;

/** Poster in three sizes: 288x465, 96x155 and 64x103 pixels. */
export const PosterImages = resource('PosterImages', {
  small: {
    type: address(),
    from: (row: SimpleSubjectRow) => row.image_small || '/pictures/sample/default/movie-s.jpg',
    about: 'Poster of 64x103 pixels.',
  },
  large: {
    type: address(),
    from: (row: SimpleSubjectRow) => row.image_large || '/pictures/sample/default/movie-l.jpg',
    about: 'Poster of 288x465 pixels.',
  },
  medium: {
    type: address(),
    from: (row: SimpleSubjectRow) => row.image_medium || '/pictures/sample/default/movie-m.jpg',
    about: 'Poster of 96x155 pixels.',
  },
});

/** Portrait in three sizes: 420x600, 140x200 and 70x100 pixels. */
export const Avatars = resource('Avatars', {
  small: {
    type: address(),
    from: (row: SimpleCelebrityRow) =>
      row.avatar_small || '/pictures/sample/default/celebrity-s.jpg',
    about: 'Portrait of 70x100 pixels.',
  },
  large: {
    type: address(),
    from: (row: SimpleCelebrityRow) =>
      row.avatar_large || '/pictures/sample/default/celebrity-l.jpg',
    about: 'Portrait of 420x600 pixels.',
  },
  medium: {
    type: address(),
    from: (row: SimpleCelebrityRow) =>
      row.avatar_medium || '/pictures/sample/default/celebrity-m.jpg',
    about: 'Portrait of 140x200 pixels.',
  },
});

/** Simple rating (specification section 2.9) of a subject, on a scale of 10 (D33). */
export const SubjectRating = resource('SubjectRating', {
  max: { type: int(), from: () => 10, about: 'Highest possible rating.' },
  average: {
    type: decimal1(),
    from: (row: SimpleSubjectRow) => row.rating_average,
    about: 'Average rating from 0 to 10, with one decimal.',
  },
  stars: {
    type: int(),
    about: 'Average rating in stars, multiplied by 10: 0 to 50, in steps of 5.',
  },
  min: { type: int(), from: () => 0, about: 'Lowest possible rating; 0 means no ratings.' },
});

/** Rating (specification section 2.9) by a user: 1 to 5, 0 for none (D33). */
export const GivenRating = resource('GivenRating', {
  max: { type: int(), from: () => 5, about: 'Highest possible rating.' },
  value: {
    type: int(),
    from: (row: { rating: number | null }) => row.rating,
    about: 'Rating from 1 to 5; 0 means no rating.',
  },
  min: { type: int(), from: () => 0, about: 'Lowest possible rating.' },
});

/**
 * Simple celebrity (specification section 2.9); null for a person without a celebrity record (D34).
 */
export const SimpleCelebrity = resource('SimpleCelebrity', {
  id: {
    type: str(),
    default: null,
    about: 'Id of the celebrity; null for a person without a record.',
  },
  name: { type: str(), about: 'Name.' },
  alt: {
    type: str(),
    default: null,
    from: (row: SimpleCelebrityRow, context: WireContext) =>
      row.id === null ? null : celebrityPage(row.id, context),
    about: 'URL of the page of the celebrity; null without a record.',
  },
  avatars: {
    type: ref(Avatars),
    default: null,
    from: (row: SimpleCelebrityRow) => (row.id === null ? null : row),
    about: 'Portrait in three sizes; null without a record.',
  },
});

/** Movies and series. */
export const SUBTYPE = oneOf('movie', 'tv');

/** Simple subject (specification section 2.9). */
export const SimpleSubject = resource('SimpleSubject', {
  id: { type: str(), about: 'Id of the film or series.' },
  title: { type: str(), about: 'Chinese title.' },
  original_title: { type: str(), about: 'Title in the original language; may be empty.' },
  alt: {
    type: str(),
    from: (row: SimpleSubjectRow, context: WireContext) => subjectPage(row.id, context),
    about: 'URL of the page of the film or series.',
  },
  images: { type: ref(PosterImages), from: wholeRow, about: 'Poster in three sizes.' },
  rating: { type: ref(SubjectRating), from: wholeRow, about: 'Rating by all users.' },
  pubdates: {
    type: list(str()),
    tiers: 'AP',
    about:
      'Release dates or dates of first broadcast, `yyyy-MM-dd` with the country in parentheses.',
  },
  year: { type: str(), about: 'Year of the first release; may be empty.' },
  subtype: { type: SUBTYPE, about: '`movie`: film, `tv`: series.' },
});
